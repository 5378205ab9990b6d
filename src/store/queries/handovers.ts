import type { DeliveryRow, HandoverKey } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

/** The secret that proves the hand-over of a row (R110); `null` where another phone drew it, or none did. */
export const handoverKey = async (
  db: SomaDb,
  { account, ID }: Pick<DeliveryRow, 'account' | 'ID'>,
): Promise<HandoverKey | null> => (await db.handovers.get([account, ID])) ?? null
