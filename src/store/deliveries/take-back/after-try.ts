import { liveQuery } from 'dexie'
import type { SomaDb } from '../../soma-db.ts'

/** Milliseconds for which a person who takes something back waits for the try under way. */
const patience = 30_000

/**
 * Resolves once no request of the entry is under way, at once where there is none, and after half a minute in
 * any case (S56).
 */
export const afterTry = (db: SomaDb, id: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (then: () => void) => {
      clearTimeout(timer)
      subscription.unsubscribe()
      then()
    }
    const timer = setTimeout(() => end(resolve), patience)
    const subscription = liveQuery(() => db.outbox.where('id').equals(id).first()).subscribe({
      next: (entry) => entry?.state !== 'sending' && end(resolve),
      error: (cause) => end(() => reject(cause)),
    })
  })
