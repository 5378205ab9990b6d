import { Refusal } from '#domain/errors.ts'
import { guestAccount } from '../database/engine-db.ts'
import type { Entry } from '../deliveries/operations.ts'
import { isCreate } from '../deliveries/project.ts'
import { enqueueEntries, projectLanes } from '../deliveries/projection.ts'
import { wayBack } from '../deliveries/take-back/way-back.ts'
import { ended, isUnsent, mayHaveArrived } from '../outbox/entry.ts'
import { dependantsOf, unsentEntries } from '../outbox/unsent.ts'
import type { CommandContext } from './context.ts'

/** How entries are undone: what never left is forgotten, what may have arrived is asked about (S56). */
export function createTakeBack({ db, now, newId }: Pick<CommandContext, 'db' | 'now' | 'newId'>) {
  /** Takes back an entry. Throws `wrong-status` for one on its way, and where no row shows the effect. */
  async function takeBack(entry: Entry): Promise<void> {
    const way = wayBack(entry)
    if (way === undefined) throw new Refusal('wrong-status', 'This is being sent right now.')
    if (way === 'forget') return cancelWith(entry)
    if (way === 'stop')
      throw new Refusal(
        'wrong-status',
        'It may already have arrived, so it can’t be taken back. You can stop trying to send it.',
      )
    if (isCreate(entry)) return void (await queueCancel(entry))
    await hold([entry])
  }

  /** Ends an entry that may have arrived, without a promise that it did not. */
  async function giveUp(entry: Entry): Promise<void> {
    if (entry.state === 'sending')
      throw new Refusal('wrong-status', 'This is being sent right now.')
    // A request that may be on offer is cancelled where it is, never left behind.
    if (isCreate(entry) || !mayHaveArrived(entry)) return takeBack(entry)
    await cancelAll([{ ...entry, gaveUp: true }, ...(await dependants(entry))])
  }

  /** Takes back everything unsent of an account; gives the entries of which nobody knows yet. */
  async function takeBackAll(account: string): Promise<Entry[]> {
    const unsent = (await unsentEntries(db, account)) as Entry[]
    const arrived = unsent.filter(mayHaveArrived)
    // Uploads that a request in doubt waits for go up with it, so that it can be cancelled there.
    const needed = new Set(arrived.flatMap(({ after }) => after))
    await cancelAll(unsent.filter((entry) => !mayHaveArrived(entry) && !needed.has(entry.id)))
    await hold(arrived.filter((entry) => !isCreate(entry) && isHoldable(entry)))
    for (const entry of arrived) if (isCreate(entry)) await queueCancel(entry)
    return arrived.filter(({ op }) => op !== 'uploadPhoto')
  }

  const isHoldable = ({ op, state }: Entry) =>
    state !== 'sending' && op !== 'uploadPhoto' && op !== 'cancelDelivery'

  /** They are not sent any more; the server's answer about their row ends them. */
  async function hold(entries: Entry[]): Promise<void> {
    const held = entries.map(
      (entry): Entry => ({
        ...entry,
        state: 'parked',
        takingBack: true,
        answersWithout: undefined,
      }),
    )
    await db.outbox.bulkPut(held)
    await projectLanes(db, held)
  }

  /**
   * A request that may have arrived is not forgotten: it is asked once more, under its key, and
   * cancelled where it then surely is. Gives the entry that cancels it.
   */
  async function queueCancel({ account, lane, title }: Entry): Promise<string> {
    const inLane = await db.outbox.where('[account+lane]').equals([account, lane]).toArray()
    const underWay = inLane.find((each) => each.op === 'cancelDelivery' && isUnsent(each))
    if (underWay) return underWay.id
    const id = newId()
    const occurredAt = new Date(now()).toISOString()
    await enqueueEntries(db, [
      {
        id,
        account,
        op: 'cancelDelivery',
        lane,
        input: { id: lane },
        title,
        occurredAt,
        isPart: 1,
      },
    ])
    return id
  }

  /** With the uploads it waits for, what depends on it, and what was refused because of it. */
  async function cancelWith(entry: Entry): Promise<void> {
    const blamed = entry.state === 'refused' ? await blamedOn(entry) : []
    await cancelAll([entry, ...(await uploadsFor(entry)), ...(await dependants(entry)), ...blamed])
  }

  /** Photos not yet up for this entry, one on its way included: nobody else wants them. */
  const uploadsFor = (entry: Entry): Promise<Entry[]> =>
    db.outbox
      .where('id')
      .anyOf(entry.after)
      .filter(({ op, state }) => op === 'uploadPhoto' && state !== 'done')
      .toArray()

  const dependants = (entry: Entry) => dependantsOf(db, entry) as Promise<Entry[]>

  const blamedOn = async (entry: Entry) =>
    (await refusedOf(entry.account)).filter((each) => each.error?.because === entry.id)

  const refusedOf = (account: string) =>
    db.outbox.where('[account+state]').equals([account, 'refused']).toArray()

  async function cancelAll(entries: Entry[]): Promise<void> {
    await db.outbox.bulkPut(entries.map((entry) => ended(entry, 'cancelled', now())))
    await projectLanes(db, entries)
    for (const { op, account, lane } of entries)
      if (op === 'createGuestDelivery' && account === guestAccount) await db.guests.delete(lane)
  }

  return {
    takeBack,
    giveUp,
    takeBackAll,
    queueCancel,
    cancelAll,
    uploadsFor,
    dependants,
    refusedOf,
  }
}
