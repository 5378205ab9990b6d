import { defaultMinOffer } from '#domain/money.ts'
import { getState } from '#sync/database/device/state.ts'
import type { SomaDb } from '../../soma-db.ts'

/** The smallest offer in cedis, as far as the server has told this phone (R21). */
export async function minOffer(db: SomaDb): Promise<number> {
  const { minOffer: told } = ((await getState(db, 'config')) ?? {}) as { minOffer?: unknown }
  return typeof told === 'number' ? told : defaultMinOffer
}
