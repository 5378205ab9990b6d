import { bounds, withCurrentAccount } from '../account/account.ts'
import { getSubjectState } from '../database/device/state.ts'
import type { Pulled } from '../database/engine-db.ts'
import { isAlong, type OfferedRoute } from '../deliveries/offered-route.ts'
import { isCurrentRow } from '../deliveries/row-schema.ts'
import type { DeliveryRow } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

/* The lists of deliveries that screens show, and how fresh a list is: the first page does without. */

/** Deliveries this person sent, newest first. */
export const sent = async (db: SomaDb, limit = 100): Promise<DeliveryRow[]> =>
  newest(db, 'sentAt', limit)

/** Jobs this driver has on the server's word, newest first. */
export const jobs = async (db: SomaDb, limit = 100): Promise<DeliveryRow[]> =>
  newest(db, 'jobAt', limit)

export type OfferOrder = 'newest' | 'price'

/**
 * Jobs a driver may ask for, newest first or best paid first; a zone left out means any. By price all that
 * the phone has are sorted, at most 2,000 (S50).
 */
export async function available(
  db: SomaDb,
  route: OfferedRoute = {},
  limit = 100,
  order: OfferOrder = 'newest',
): Promise<DeliveryRow[]> {
  const { found } = await withCurrentAccount(db, (account) => {
    const along = range(db, 'openAt', account).filter(({ view }) => isAlong(route, view))
    return (order === 'newest' ? along.limit(limit) : along).toArray()
  })
  const readable = found.filter(isCurrentRow)
  if (order === 'newest') return readable
  return readable.sort((a, b) => b.view.offer - a.view.offer).slice(0, limit)
}

/** The route this driver chose last on this device (S50); `{}` for any. */
export async function rememberedRoute(db: SomaDb): Promise<OfferedRoute> {
  const { found } = await withCurrentAccount(db, (account) => getSubjectState(db, 'route', account))
  return found ?? {}
}

/** When a list was last confirmed by the server; `null` when it never was. */
export async function pulled(db: SomaDb, list: string): Promise<Pulled | null> {
  const shared = list === 'zones' || list === 'items'
  if (shared) return (await db.pulls.get(['', list])) ?? null
  const { found } = await withCurrentAccount(db, (account) => db.pulls.get([account, list]))
  return found ?? null
}

/** When a list was last confirmed, milliseconds since 1970; `null` when it never was. */
export async function pulledAt(db: SomaDb, list: string): Promise<number | null> {
  return (await pulled(db, list))?.at || null
}

type Sorted = 'sentAt' | 'jobAt' | 'openAt'

const range = (db: SomaDb, by: Sorted, account: string) =>
  db.deliveries
    .where(`[account+${by}]`)
    .between(...bounds(account))
    .reverse()

const newest = async (db: SomaDb, by: Sorted, limit: number): Promise<DeliveryRow[]> => {
  const { found } = await withCurrentAccount(db, (account) =>
    range(db, by, account).limit(limit).toArray(),
  )
  return found.filter(isCurrentRow)
}
