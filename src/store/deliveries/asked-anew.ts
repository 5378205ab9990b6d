import type { Pulled } from '../database/engine-db.ts'
import type { ListRef } from '../database/lists.ts'
import type { SomaDb } from '../soma-db.ts'
import { isBeingTakenBack } from './take-back/taken-back-lists.ts'

/**
 * Whether "unchanged" would say too little of a delivery, so that it is asked for as if for the first time:
 * something about it is being taken back (S56), or another answer has written its row since it was pulled,
 * and the server may have forgotten that (S53).
 */
export async function isAskedAnew(
  db: SomaDb,
  account: string,
  { kind, id = '' }: ListRef,
  pulled: Pulled | undefined,
): Promise<boolean> {
  if (kind !== 'delivery') return false
  if (pulled?.etag) {
    const row = await db.deliveries.get([account, id])
    if (row?.serverAt !== pulled.serverAt) return true
  }
  return isBeingTakenBack(db, account, id)
}
