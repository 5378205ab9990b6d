import type { HandoverKey } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

/** The secret of a request follows its delivery to another ID. Inside the caller's transaction. */
export async function moveHandover(
  db: SomaDb,
  account: string,
  from: string,
  to: string,
  change: Pick<HandoverKey, 'isResent'> = {},
): Promise<void> {
  const stored = await db.handovers.get([account, from])
  if (!stored) return
  await db.handovers.delete([account, from])
  await db.handovers.put({ ...stored, ...change, ID: to })
}
