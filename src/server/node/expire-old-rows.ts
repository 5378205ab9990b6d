import { guestTokenLifetime, sessionLifetime } from '../http/authenticate.ts'
import { collectPhotoGarbage } from '../photos/collect-garbage.ts'
import type { Ports } from '../ports/ports.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

/** Forgets what has run out: request keys, tries, codes, sessions and guest tokens. Each call is one pass. */
export async function expireOldRows({
  repo,
  clock,
  options,
}: Pick<Ports, 'repo' | 'clock' | 'options'>): Promise<void> {
  const before = (age: number) => new Date(clock() - age).toISOString()
  // Failed logins and the SMS of a day are looked back at for a day.
  const longest = Math.max(day, ...Object.values(options.limits).map(({ within }) => within))
  await repo.transaction(async ({ requests, attempts, codes, sessions, guestTokens }) => {
    await requests.sweep(before(options.idempotencyDays * day))
    await attempts.sweep(before(longest))
    await codes.sweep(before(day))
    await guestTokens.sweep(before(guestTokenLifetime))
    await sessions.sweep(before(sessionLifetime.unused), before(sessionLifetime.whole))
  })
}

/** A pass at once and then now and then for as long as the server runs. ResponseOf the function that ends it. */
export function startExpiry(ports: Ports): () => void {
  let isUnderWay = false
  let isOver = false
  const pass = async () => {
    // A pass over very many photos may take longer than an hour.
    if (isUnderWay) return
    isUnderWay = true
    try {
      await expireOldRows(ports)
      await collectPhotoGarbage(ports)
    } catch (error) {
      // The database was closed in the middle of a pass: the next start begins with one.
      if (isOver) return
      ports.log.warn({ err: error }, 'What has run out could not be forgotten; tried again later')
    }
    isUnderWay = false
  }
  void pass()
  const timer = setInterval(pass, hour)
  if (typeof timer === 'object') timer.unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}
