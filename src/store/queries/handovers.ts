import type { DeliveryRow } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

/** The secret that proves the hand-over of a row, in base64url (R110); `null` where another phone drew it, or none did. */
export const handoverSecret = async (
  db: SomaDb,
  { account, ID }: Pick<DeliveryRow, 'account' | 'ID'>,
): Promise<string | null> => (await db.handovers.get([account, ID]))?.secret ?? null
