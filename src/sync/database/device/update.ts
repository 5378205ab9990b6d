import { buildNumber } from '#contract/version.ts'
import type { EngineDb } from '../engine-db.ts'
import { deleteState, getState, putState } from './state.ts'

/** Whether the server takes only newer builds of the app: everything waits for the update (S48). */
export const updateRequired = (db: EngineDb): PromiseLike<boolean> =>
  // Noted by a build before this one, it may be over: the server says so anew if it is not.
  getState(db, 'updateRequired').then((noted) => noted !== undefined && noted.build >= buildNumber)

/** Notes that the server refused this build as too old (S48). Its list of versions is asked for anew. */
export async function noteUpdateRequired(db: EngineDb, versionList: string): Promise<void> {
  await db.transaction('rw', [db.meta, db.pulls], async () => {
    if (await updateRequired(db)) return
    await putState(db, 'updateRequired', { build: buildNumber })
    await db.pulls.delete(['', versionList])
  })
}

/** Takes in the lowest build that the server takes, if it names one (S48). */
export async function noteMinimumBuild(db: EngineDb, minimum = 0): Promise<void> {
  const isRequired = minimum > buildNumber
  if (isRequired === (await updateRequired(db))) return
  if (isRequired) await putState(db, 'updateRequired', { build: buildNumber })
  else await deleteState(db, 'updateRequired')
}
