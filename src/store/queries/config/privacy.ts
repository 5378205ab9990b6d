import { retention } from '#domain/personal/retention.ts'
import { getState } from '#sync/database/device/state.ts'
import type { SomaDb } from '../../soma-db.ts'

/** How long each thing is kept, in days (R218), and what the office adds to the privacy text (R204), as this phone knows it. */
export async function privacy(
  db: SomaDb,
): Promise<{ text?: string; kept: Record<keyof typeof retention, number> }> {
  const { privacy: text, idempotencyDays: response } = ((await getState(db, 'config')) ?? {}) as {
    privacy?: unknown
    idempotencyDays?: unknown
  }
  return {
    text: typeof text === 'string' && text !== '' ? text : undefined,
    kept: typeof response === 'number' ? { ...retention, response } : retention,
  }
}
