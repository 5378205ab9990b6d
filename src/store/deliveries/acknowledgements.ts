import { isUnsent } from '#sync/database/entry.ts'
import type { MakeEntry, NewEntry } from '../entries/new-entry.ts'
import { type Entry, operations } from '../entries/operations.ts'
import type { DeliveryRow } from '../rows.ts'
import { currentSession } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { enqueueEntries } from './projection.ts'
import { deliveryTables } from './tables.ts'

/* The money of a cancelled job is held until this phone, its driver's, says that it has seen the cancel (S63). */

/** Jobs of whoever is logged in whose cancel the server waits for them to confirm. */
const heldJobs = (db: SomaDb, account: string) =>
  db.deliveries.where('[account+active]').equals([account, 'held'])

/**
 * Queues for each such job that its cancel was seen, behind everything that is queued for it: the server then
 * knows all that was done before. Resolves to whether anything was queued.
 */
export const queueAcknowledgements = (db: SomaDb, newEntry: MakeEntry): Promise<boolean> =>
  db.transaction('rw', [db.outbox, db.aliases, ...deliveryTables(db)], async () => {
    const session = await currentSession(db)
    if (!session || session.expired) return false
    const { account } = session
    const entries: NewEntry[] = []
    for (const row of await heldJobs(db, account).toArray()) {
      const { ID, view } = row
      const unsent = await unsentOf(db, row)
      if (isReportLost(row) || unsent.some(({ op }) => op === 'acknowledgeCancel')) continue
      entries.push({
        ...newEntry('acknowledgeCancel', account, ID, { id: ID }, view.itemDescription),
        // A photo as well, for which nothing else of the lane waits (S72).
        follows: unsent.filter(({ op }) => operations[op]?.isAside).map(({ id }) => id),
        // Nobody has asked for it, and nobody need see it.
        isPart: 1,
      })
    }
    if (entries.length > 0) await enqueueEntries(db, entries)
    return entries.length > 0
  })

/** What is still to be sent about a row. */
const unsentOf = async (db: SomaDb, { account, ID }: DeliveryRow): Promise<Entry[]> =>
  (await db.outbox.where('[account+lane]').equals([account, ID]).toArray()).filter(isUnsent)

/** What a restored server has lost can be sent again (S54): until the person has chosen, more is to come. */
const isReportLost = ({ marks }: DeliveryRow): boolean =>
  marks.some(
    ({ op, state, error }) =>
      (op === 'pickUpDelivery' || op === 'completeDelivery') &&
      state === 'refused' &&
      error?.reason === 'lost',
  )
