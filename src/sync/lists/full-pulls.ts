import { buildNumber } from '#contract/version.ts'
import { getState, putState } from '../database/device/state.ts'
import type { EngineDb } from '../database/engine-db.ts'

/** Which lists are to be asked for in full, whenever that changes. */
const askedInFull = 'pullInFull'

/**
 * Forgets how far the account's lists of these kinds have come, so that they are asked for in full, and at
 * once: a row that left this phone by mistake comes back (S49). In the caller's transaction if there is one.
 */
export async function pullInFull(
  db: EngineDb,
  account: string,
  kinds: readonly string[],
): Promise<void> {
  await db.transaction('rw', [db.pulls, db.meta], async () => {
    const lists: string[] = []
    await db.pulls
      .where('[account+list]')
      .between([account, ''], [account, '\uffff'])
      .filter(({ list }) => kinds.includes(kindOf(list)))
      .modify((pulled) => {
        lists.push(pulled.list)
        pulled.cursor = undefined
        pulled.etag = undefined
      })
    if (lists.length === 0) return
    const count = ((await getState(db, askedInFull))?.count ?? 0) + 1
    await putState(db, askedInFull, { count, lists })
  })
}

/** The app was updated: what the build before could not read is asked for again, in full (S48). */
export async function pullUnreadableAgain(db: EngineDb): Promise<void> {
  const old = await db.setAside
    .filter(({ row, build = 0 }) => row !== undefined && build < buildNumber)
    .toArray()
  const accounts = new Set(old.map(({ account = '' }) => account))
  for (const account of accounts) {
    const own = old.filter((each) => (each.account ?? '') === account)
    await pullInFull(db, account, [...new Set(own.map(({ from }) => kindOf(from)))])
  }
}

/** The kind of a list, of which an account may hold several: `available` of `available?from=osu`. */
export const kindOf = (list: string) => list.split(/[:?]/)[0] ?? list
