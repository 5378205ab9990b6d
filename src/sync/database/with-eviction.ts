import { note } from './device/diagnostics.ts'
import { putState } from './device/state.ts'
import type { EngineDb } from './engine-db.ts'

/** Takes away what can be fetched again; loaded when it is first needed. */
export type Evict = () => Promise<unknown>

/**
 * Does `work`; when the phone is too full for what it writes, what can be fetched again is evicted,
 * `work` is done once more, and how that ended is noted for the person to read (S26). Rejects with the
 * browser's `QuotaExceededError` when nothing helps.
 */
export async function withEviction<T>(
  db: EngineDb,
  evict: Evict,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error
    // What cannot be loaded cannot evict: then the disk's own error stands.
    await evict().catch(() => {
      throw error
    })
    try {
      const done = await work()
      await noteEviction(db, 'made')
      return done
    } catch (again) {
      if (isQuotaExceeded(again)) await noteEviction(db, 'none')
      throw again
    }
  }
}

/** `made`: lists were evicted, and it was enough; `none`: it was not. */
async function noteEviction(db: EngineDb, made: 'made' | 'none'): Promise<void> {
  note(made === 'made' ? 'The phone was full: lists were evicted' : 'The phone is full')
  try {
    await putState(db, 'room', { room: made, at: Date.now() })
  } catch {
    // Not even this line fits: whoever asked hears it from the error.
  }
}

/** Whether the device was too full for a write. Dexie wraps what ended a transaction, sometimes twice. */
export function isQuotaExceeded(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { name, inner } = error as { name?: unknown; inner?: unknown }
  return name === 'QuotaExceededError' || isQuotaExceeded(inner)
}
