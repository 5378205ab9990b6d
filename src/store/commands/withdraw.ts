import { guestAccount } from '#sync/database/engine-db.ts'
import { ended, isUnsent, triedNow } from '#sync/database/entry.ts'
import { dependantsOf, unsentEntries } from '#sync/outbox/unsent.ts'
import { forgetRequests } from '../deliveries/outbox-model.ts'
import { isCreate } from '../deliveries/project.ts'
import { enqueueEntries, projectLanes } from '../deliveries/projection.ts'
import type { Entry } from '../entries/operations.ts'
import { undoStrategy } from '../entries/undo-strategy.ts'
import type { CommandContext } from './context.ts'

/** How entries are undone: what never left is forgotten, what may have arrived is withdrawn (S56). */
export function createWithdrawals({
  db,
  now,
  newId,
}: Pick<CommandContext, 'db' | 'now' | 'newId'>) {
  /** Takes back one entry, with what belongs to it. */
  async function takeBack(entry: Entry): Promise<void> {
    if (entry.withdrawal === 'asked') return
    if (undoStrategy(entry) === 'forget') await forget(entry)
    else await withdraw([entry])
  }

  /** Takes back everything unsent of an account; gives the items of which nobody knows yet. */
  async function takeBackAll(account: string): Promise<Entry[]> {
    const unsent = (await unsentEntries(db, account)) as Entry[]
    // What is to undo a request that is being withdrawn goes on.
    const own = unsent.filter(({ isPart, op }) => !isPart || op !== 'cancelDelivery')
    const asked = own.filter((entry) => undoStrategy(entry) !== 'forget')
    await cancelAll(own.filter((entry) => undoStrategy(entry) === 'forget'))
    await withdraw(asked)
    return asked.filter(({ isPart }) => !isPart)
  }

  /**
   * From now on the server is asked to withdraw them. A request that turns out to have taken effect is cancelled
   * behind it.
   */
  async function withdraw(entries: readonly Entry[]): Promise<void> {
    const asked = entries.map(
      (entry): Entry => ({
        ...entry,
        ...(entry.state === 'sending' ? {} : triedNow),
        withdrawal: 'asked',
      }),
    )
    await db.outbox.bulkPut(asked)
    for (const entry of asked) if (isCreate(entry)) await queueCancel(entry)
    await projectLanes(db, asked)
  }

  /** Queues what cancels a request should it exist; gives the ID of the entry. */
  async function queueCancel({ id: create, account, lane, title }: Entry): Promise<string> {
    const inLane = await db.outbox.where('[account+lane]').equals([account, lane]).toArray()
    const queued = inLane.find((each) => each.op === 'cancelDelivery' && isUnsent(each))
    if (queued) return queued.id
    const id = newId()
    const occurredAt = new Date(now()).toISOString()
    const about = { id, account, lane, input: { id: lane }, title, occurredAt }
    await enqueueEntries(db, [{ ...about, op: 'cancelDelivery', after: [create], isPart: 1 }])
    return id
  }

  /** With the uploads it waits for, what depends on it, and what was refused because of it. */
  async function forget(entry: Entry): Promise<void> {
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
    await forgetRequests(
      db,
      entries.filter(({ account }) => account === guestAccount),
    )
  }

  return {
    takeBack,
    takeBackAll,
    withdraw,
    queueCancel,
    cancelAll,
    uploadsFor,
    dependants,
    refusedOf,
  }
}
