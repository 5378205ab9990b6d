import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { OlderPage } from '#sync/database/engine-db.ts'
import { isStillHere, pulledState } from '#sync/lists/pulls.ts'
import type { SomaDb } from '../../soma-db.ts'
import { stillOffered } from '../left-offers.ts'
import { dropMissing, type FullResponse, mergeInFull } from './full-responses.ts'
import { dropBeyondBound, endOfPage, withoutDetour } from './offers.ts'
import type { OwnIndex } from './old-rows.ts'

/** An older page of a list, as the server sent it. */
type OlderResponse = {
  /** When it was asked for and came. */
  response: FullResponse
  deliveries: Delivery[]
  next?: string
  /** Rows of it that could not be read. */
  unreadable: readonly string[]
  /** The server's own time, milliseconds since 1970. */
  serverTime?: number
}

/** Which page was asked for. `cursor`: how far the list had come by then. */
export type AskedPage = {
  account: string
  list: string
  by: OwnIndex | 'openAt'
  older: OlderPage
  cursor?: string
}

/**
 * Saves an older page of a list and where the next one begins (S50). What this phone stored between the page
 * before and the end of this one, and the page lacks, leaves. Resolves to how many rows are new here;
 * nothing when the list was pulled meanwhile, so that the page may be older than what is known.
 */
export function saveOlderPage(
  db: SomaDb,
  { account, list, by, older, cursor }: AskedPage,
  { deliveries, next, unreadable, serverTime, response }: OlderResponse,
): Promise<number | undefined> {
  return db.transaction('rw', db.tables, async () => {
    if (!(await isStillHere(db, account))) return undefined
    const pulled = await pulledState(db, account, list)
    const isCurrent = pulled?.cursor === cursor && pulled?.older?.after === older.after
    if (!pulled || !isCurrent) return undefined
    const there = deliveries.map(({ ID }): [string, string] => [account, ID])
    const stored = await db.deliveries.bulkGet(there)
    const last = endOfPage(deliveries)
    const seen = new Set([...deliveries.map(({ ID }) => ID), ...unreadable])
    const end = next === undefined ? '' : last
    if (older.from !== undefined && end !== undefined && by !== 'openAt') {
      const between = await db.deliveries
        .where(`[account+${by}]`)
        .between([account, end], [account, older.from], false, false)
        .filter(({ known, ID }) => known && !seen.has(ID))
        .toArray()
      const missing = between.map(({ ID }) => ID)
      await dropMissing(db, missing, response)
    }
    const rows = by === 'openAt' ? stillOffered(db, deliveries, response.askedAt) : deliveries
    await mergeInFull(db, rows.map(withoutDetour), response)
    const following = next === undefined ? undefined : { after: next, from: last ?? older.from }
    await db.pulls.put({ ...pulled, older: following, olderAt: serverTime ?? pulled.serverTime })
    if (by === 'openAt') await dropBeyondBound(db, account, list)
    return stored.filter((row) => row === undefined).length
  })
}
