import { emptyDraft, type SendDraft } from '#domain/draft.ts'
import { Refusal } from '#domain/errors.ts'
import type { Entry, InputOf } from '../deliveries/operations.ts'
import { isCreate } from '../deliveries/project.ts'
import {
  dependantsOf,
  ended,
  enqueue,
  mayHaveArrived,
  type NewEntry,
  refoldLanes,
} from '../outbox/enqueue.ts'
import { isUnsent } from '../outbox/entry.ts'
import type { SomaDb } from '../soma-db.ts'

type Tools = {
  db: SomaDb
  now: () => number
  newId: () => string
  write: <T>(work: () => Promise<T>) => Promise<T>
}

/** What a person can do about an entry that waits or was refused: try again, take back, edit. */
export function createRepairs({ db, now, newId, write }: Tools) {
  /** Try a waiting entry now; ask a refused one anew, which is another request with another key. */
  const retry = (id: string): Promise<void> =>
    write(async () => {
      const entry = await find(id)
      // It is being tried this moment.
      if (entry.state === 'sending') return
      if (entry.state !== 'refused') {
        await db.outbox.update(entry.seq, { state: 'waiting', nextAt: 0, failures: 0, held: false })
        return refoldLanes(db, [entry])
      }
      await renew(await family(entry))
    })

  /** Takes back what has not left, and forgets what was refused. What may be under way cannot be. */
  const discard = (id: string): Promise<void> =>
    write(async () => {
      const entry = await find(id)
      if (isCreate(entry) && entry.state !== 'refused' && mayHaveArrived(entry))
        return void (await callOff(entry))
      if (entry.state === 'sending')
        throw new Refusal('wrong-status', 'This is being sent right now.')
      const lost = [entry, ...(await uploadsFor(entry)), ...(await dependantsOf(db, entry))]
      await cancelAll(entry.state === 'refused' ? [...lost, ...(await blamedOn(entry))] : lost)
    })

  /** Puts a request that has not reached the server back into the form. */
  const editAndResend = (id: string): Promise<void> =>
    write(async () => {
      const entry = await find(id)
      if (!isCreate(entry)) throw new Refusal('wrong-status', 'This can no longer be edited.')
      const session = await db.sessions.get('current')
      const account = session?.account ?? 'guest'
      const value = draftOf(entry.input)
      if (entry.state !== 'refused' && mayHaveArrived(entry)) {
        const after = await callOff(entry)
        return void (await db.drafts.put({ account, kind: 'send', value: { ...value, after } }))
      }
      await db.drafts.put({ account, kind: 'send', value })
      await cancelAll([
        ...(await family(entry)),
        ...(await uploadsFor(entry)),
        ...(await dependantsOf(db, entry)),
      ])
    })

  /**
   * A request that may have arrived is not forgotten: it is asked once more, under its key, and
   * cancelled where it then surely is. Gives the entry that cancels it.
   */
  async function callOff({ account, lane, title }: Entry): Promise<string> {
    const inLane = await db.outbox.where('[account+lane]').equals([account, lane]).toArray()
    const underWay = inLane.find((each) => each.op === 'cancelDelivery' && isUnsent(each))
    if (underWay) return underWay.id
    const id = newId()
    const occurredAt = new Date(now()).toISOString()
    await enqueue(db, [
      { id, account, op: 'cancelDelivery', lane, input: { id: lane }, title, occurredAt },
    ])
    return id
  }

  /** Photos not yet up for this entry, one on its way included: nobody else wants them. */
  const uploadsFor = (entry: Entry): Promise<Entry[]> =>
    db.outbox
      .where('id')
      .anyOf(entry.after)
      .filter(({ op, state }) => op === 'uploadPhoto' && state !== 'done')
      .toArray()

  async function find(id: string): Promise<Entry> {
    const entry = await db.outbox.where('id').equals(id).first()
    if (!entry || entry.state === 'done' || entry.state === 'cancelled')
      throw new Refusal('not-found', 'This has already been dealt with.')
    return entry
  }

  async function cancelAll(entries: Entry[]) {
    await db.outbox.bulkPut(entries.map((entry) => ended(entry, 'cancelled', now())))
    await refoldLanes(db, entries)
    for (const entry of entries)
      if (entry.op === 'createGuestDelivery') await db.guests.delete(entry.lane)
  }

  /** The refused entry, the refused ones it needs, and those refused because of either. */
  async function family(entry: Entry): Promise<Entry[]> {
    const refused = await refusedOf(entry.account)
    const ids = new Set([entry.id, ...entry.after])
    for (const each of refused)
      if (each.error?.because && ids.has(each.error.because)) ids.add(each.id)
    const others = refused.filter((each) => each.id !== entry.id && ids.has(each.id))
    return [entry, ...others].sort((a, b) => a.seq - b.seq)
  }

  const blamedOn = async (entry: Entry) =>
    (await refusedOf(entry.account)).filter((each) => each.error?.because === entry.id)

  const refusedOf = (account: string) =>
    db.outbox.where('[account+state]').equals([account, 'refused']).toArray()

  /** New entries in place of old ones. A create's new key is a new ID: an alias keeps its address. */
  async function renew(old: Entry[]) {
    const ids = new Map(old.map((entry) => [entry.id, newId()]))
    const renamed = (id: string) => ids.get(id) ?? id
    await cancelQuietly(old)
    await enqueue(
      db,
      old.map((entry) => renewed(entry, renamed)),
    )
    for (const entry of old) if (isCreate(entry)) await move(entry, renamed(entry.id))
    await refoldLanes(db, old)
  }

  const cancelQuietly = (entries: Entry[]) =>
    db.outbox.bulkPut(entries.map((entry) => ended(entry, 'cancelled', now())))

  async function move(entry: Entry, to: string) {
    await db.aliases.put({ account: entry.account, local: entry.lane, server: to })
    const record = await db.guests.get(entry.lane)
    if (!record) return
    await db.guests.delete(entry.lane)
    await db.guests.put({ ...record, id: to })
  }

  function renewed(entry: Entry, renamed: (id: string) => string): NewEntry {
    const { account, op, input, title, after, photos, occurredAt } = entry
    const id = renamed(entry.id)
    const create = isCreate(entry)
    const pointed = 'id' in input ? { ...input, id: renamed(input.id) } : input
    const lane = create ? id : renamed(entry.lane)
    return {
      id,
      account,
      op,
      lane,
      input: pointed,
      title,
      after: after.map(renamed),
      photos,
      occurredAt,
    }
  }

  return { retry, discard, editAndResend }
}

function draftOf(input: InputOf<'createDelivery'> | InputOf<'createGuestDelivery'>): SendDraft {
  const { guestSecret: _, ...rest } = { guestSecret: '', ...input }
  return { ...emptyDraft, ...rest, offer: String(input.offer) }
}
