import { SomaDb } from '#store/db.ts'
import { drain as drainOutbox } from './push.ts'
import { realClock, webLocks } from './tools.ts'

/**
 * The service worker's way in: sends what waits with no page open. Rejects while something still
 * waits, so that the browser wakes the worker again later.
 */
export async function drain(base: string): Promise<void> {
  const db = new SomaDb()
  try {
    await db.open()
    const drained = await drainOutbox({
      db,
      base,
      transport: (request) => fetch(request),
      clock: realClock,
      random: Math.random,
      locks: webLocks,
      holder: 'service-worker',
    })
    if (drained?.nextAt !== undefined) throw new Error('Something still waits to be sent')
  } finally {
    db.close()
  }
}
