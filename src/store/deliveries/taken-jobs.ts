import { type Delivery, isActiveJob } from '#domain/deliveries/delivery.ts'
import { advertOf } from '#domain/deliveries/permissions.ts'
import { getState, putState } from '#sync/database/device/state.ts'
import type { SomaDb, TakenJob } from '../soma-db.ts'
import { serverRow } from './row-schema.ts'

/** What the server says of a job that the office took: the driver's reason to stop. */
type Taken = { ID: string; reason: string; at: string }

/**
 * Keeps what a driver is told of jobs that leave their list without having been given back, once (S86). Inside the
 * pull's transaction, before the rows leave. `taken`: what the server says of them.
 */
export async function noteTakenJobs(
  db: SomaDb,
  account: string,
  removed: readonly string[],
  taken: readonly Taken[] = [],
): Promise<void> {
  for (const id of removed) {
    const row = await db.deliveries.get([account, id])
    if (!row || row.gone) continue
    const said = taken.find(({ ID }) => ID === id)
    const job = serverRow(row) ?? row.view
    const isTheirs = job.driver?.id === account && isActiveJob(job)
    const isGivenBack = row.marks.some(({ op }) => op === 'releaseJob')
    if (!said && (!isTheirs || isGivenBack)) continue
    const key = `taken:${account}:${id}` as const
    const at = said?.at ?? job.updatedAt
    if ((await getState(db, key))?.at === at) continue
    await putState(db, key, { at, job: asTaken(job, account, said) } satisfies TakenJob)
  }
}

/** What everybody on offer may know of it, and why it was taken. */
function asTaken(job: Delivery, driver: string, said: Taken | undefined): Delivery {
  const { reason, at } = said ?? { reason: '', at: job.updatedAt }
  const incident = { kind: 'release' as const, by: 'office', reason, driver, at }
  return { ...advertOf(job), status: 'Pending', incidents: said ? [incident] : [] }
}
