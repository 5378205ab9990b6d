import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { MonotonicTime } from '#sync/time.ts'
import type { SomaDb } from '../../soma-db.ts'
import { isBroughtSince } from '../project.ts'
import { dropFromList, mergeFromServer } from '../projection.ts'

/** A full response. `now`: by the device's clock, milliseconds since 1970. */
export type FullResponse = {
  account: string
  askedAt: MonotonicTime
  serverAt: MonotonicTime
  now: number
}

/**
 * Merges rows of a response that is all there is, not a delta: they take the place of what this phone held
 * when they were asked for (S53), even of later versions (S77).
 */
export const mergeInFull = (
  db: SomaDb,
  deliveries: readonly Delivery[],
  response: FullResponse,
): Promise<void> => mergeFromServer(db, response.account, deliveries, response)

/** Those of the rows that a response lacks which nothing has brought since it was asked for (S78). */
export async function notBroughtSince(
  db: SomaDb,
  ids: readonly string[],
  { account, askedAt, serverAt }: FullResponse,
): Promise<string[]> {
  const found = await db.deliveries.bulkGet(ids.map((id): [string, string] => [account, id]))
  return ids.filter((_, at) => !isBroughtSince(found[at], { askedAt, serverAt }))
}

/** The server does not have these rows: they leave the phone, but for what was brought since it was asked. */
export const dropMissing = async (
  db: SomaDb,
  ids: readonly string[],
  response: FullResponse,
): Promise<void> => dropFromList(db, response.account, await notBroughtSince(db, ids, response))
