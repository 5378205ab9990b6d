import { emptyDraft, type SendDraft } from '#domain/deliveries/draft.ts'
import { Refusal } from '#domain/errors.ts'
import type { InputOf } from '#operations/index.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { ended, needsUpdate, triedNow } from '#sync/database/entry.ts'
import { pullInFull } from '#sync/lists/full-pulls.ts'
import { moveRequest } from '../deliveries/outbox-model.ts'
import { isCreate } from '../deliveries/project.ts'
import { enqueueEntries, projectLanes } from '../deliveries/projection.ts'
import { deliveryLists } from '../deliveries/save/refused-delivery.ts'
import type { NewEntry } from '../entries/new-entry.ts'
import type { Entry } from '../entries/operations.ts'
import { undoStrategy } from '../entries/undo-strategy.ts'
import type { CommandContext } from './context.ts'
import { createWithdrawals } from './withdraw.ts'

/** What a person can do about an entry that waits or was refused: try again, take back, edit. */
export function createOutboxActions({ db, now, newId, write }: CommandContext) {
  const withdrawals = createWithdrawals({ db, now, newId })
  const { takeBack, takeBackAll, withdraw, queueCancel } = withdrawals
  const { cancelAll, uploadsFor, dependants, refusedOf } = withdrawals

  /** Try a waiting entry now; ask a refused one anew, which is another request with another key. */
  const retry = (id: string): Promise<void> =>
    write(async () => {
      const entry = await find(id)
      // It is being tried this moment.
      if (entry.state === 'sending') return
      if (entry.state !== 'refused') {
        const parts = (await uploadsFor(entry)).filter(({ state }) => triable.has(state))
        for (const { seq } of [...parts, entry]) await db.outbox.update(seq, triedNow)
        if (entry.withdrawal === 'unknown')
          await db.outbox.update(entry.seq, { withdrawal: undefined })
        return projectLanes(db, [entry])
      }
      await resubmit(await refusedTogether(entry))
    })

  /** Takes back what has not left, and forgets what was refused. What may have arrived the server withdraws (S56). */
  const discard = async (id: string): Promise<void> => {
    const entry = await write(async () => {
      const found = await find(id)
      await takeBack(found)
      return found
    })
    // The phone may have been wrong about the row: the server says what it has (S49).
    if (entry.state === 'refused') await pullInFull(db, entry.account, deliveryLists)
  }

  /** No more of an entry that may have arrived, where the backend cannot be asked: whether it did stays unknown (S73). */
  const stopTrying = (id: string): Promise<void> =>
    write(async () => {
      const entry = await find(id)
      if (undoStrategy(entry) !== 'stop') throw new Refusal('wrong-status')
      await cancelAll([entry, ...(await dependants(entry))])
    })

  /** Takes back everything unsent of an account; gives the IDs of what may have arrived (S56). */
  const discardAll = (account: string): Promise<string[]> =>
    write(async () => (await takeBackAll(account)).map(({ id }) => id))

  /** Puts a request that has not reached the server back into the form. */
  const editAndResend = (id: string): Promise<void> =>
    write(async () => {
      const entry = await find(id)
      if (!isCreate(entry)) throw new Refusal('wrong-status', 'This can no longer be edited.')
      if (needsUpdate(entry)) throw new Refusal('update')
      const session = await db.sessions.get('current')
      const account = session?.account ?? guestAccount
      const together = [...(await refusedTogether(entry)), ...(await dependants(entry))]
      const value = draftOf(entry.input, together)
      if (undoStrategy(entry) !== 'forget') {
        await withdraw([entry])
        const after = await queueCancel(entry)
        return void (await db.drafts.put({ account, kind: 'send', value: { ...value, after } }))
      }
      await db.drafts.put({ account, kind: 'send', value })
      await cancelAll([...together, ...(await uploadsFor(entry))])
    })

  async function find(id: string): Promise<Entry> {
    const entry = await db.outbox.where('id').equals(id).first()
    if (!entry || entry.state === 'done' || entry.state === 'cancelled')
      throw new Refusal('not-found', 'This has already been dealt with.')
    return entry
  }

  /** The refused entry, the refused ones it needs, and those refused because of either. */
  async function refusedTogether(entry: Entry): Promise<Entry[]> {
    const refused = await refusedOf(entry.account)
    const ids = new Set([entry.id, ...entry.after])
    for (const each of refused)
      if (each.error?.because && ids.has(each.error.because)) ids.add(each.id)
    const others = refused.filter((each) => each.id !== entry.id && ids.has(each.id))
    return [entry, ...others].sort((a, b) => a.seq - b.seq)
  }

  /** New entries in place of old ones. A create's new key is a new ID: an alias keeps its address. */
  async function resubmit(old: Entry[]) {
    const ids = new Map(old.map((entry) => [entry.id, newId()]))
    const renamed = (id: string) => ids.get(id) ?? id
    await cancelQuietly(old)
    await enqueueEntries(
      db,
      old.map((entry) => resubmitted(entry, renamed)),
    )
    for (const { account, lane, error, id } of old.filter(isCreate)) {
      await db.aliases.put({ account, local: lane, server: renamed(id) })
      const change = error?.reason === 'lost' ? ({ isResent: true } as const) : {}
      await moveRequest(db, account, lane, renamed(id), change)
    }
    await projectLanes(db, old)
  }

  const cancelQuietly = (entries: Entry[]) =>
    db.outbox.bulkPut(entries.map((entry) => ended(entry, 'cancelled', now())))

  function resubmitted(entry: Entry, renamed: (id: string) => string): NewEntry {
    const { account, op, input, title, after, follows, photos, occurredAt, isPart } = entry
    const id = renamed(entry.id)
    return {
      id,
      account,
      op,
      lane: isCreate(entry) ? id : renamed(entry.lane),
      input: 'id' in input ? { ...input, id: renamed(input.id) } : input,
      title,
      after: after.map(renamed),
      follows: follows?.map(renamed),
      photos,
      occurredAt,
      isPart,
    }
  }

  return { retry, discard, stopTrying, discardAll, editAndResend }
}

/** Of an upload that belongs to an entry: it is tried with it. */
const triable: ReadonlySet<string> = new Set(['retrying', 'parked'])

/** `others`: entries that go back into the form with the request, such as a raise of its offer (R169). */
function draftOf(
  input: InputOf<'createDelivery'> | InputOf<'createGuestDelivery'>,
  others: readonly Entry[],
): SendDraft {
  const raise = others.findLast(({ op }) => op === 'raiseOffer')?.input as
    | InputOf<'raiseOffer'>
    | undefined
  const {
    guestSecret: _,
    handoverHash: __,
    trackHash: ___,
    ...rest
  } = { guestSecret: '', ...input }
  return { ...emptyDraft, ...rest, offer: String((raise ?? input).offer) }
}
