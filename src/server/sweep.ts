import { guestTokenLives, sessionLives } from './door.ts'
import type { Gateways } from './gateways.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

/** Forgets what has run out: request keys, tries, codes, sessions and guest tokens. Each call is one pass. */
export async function sweep({
  repo,
  clock,
  options,
}: Pick<Gateways, 'repo' | 'clock' | 'options'>): Promise<void> {
  const before = (age: number) => new Date(clock() - age).toISOString()
  // Failed logins and the SMS of a day are looked back at for a day.
  const longest = Math.max(day, ...Object.values(options.limits).map(({ within }) => within))
  await repo.transaction(async ({ requests, attempts, codes, sessions, guestTokens }) => {
    await requests.sweep(before(options.idempotencyDays * day))
    await attempts.sweep(before(longest))
    await codes.sweep(before(day))
    await guestTokens.sweep(before(guestTokenLives))
    await sessions.sweep(before(sessionLives.unused), before(sessionLives.whole))
  })
}

/** A pass now and then for as long as the server runs. Gives the function that ends it. */
export function keepSweeping(gateways: Gateways): () => void {
  const pass = () =>
    sweep(gateways).catch((error: unknown) =>
      gateways.log.warn(
        { err: error },
        'What has run out could not be forgotten; tried again later',
      ),
    )
  const timer = setInterval(pass, hour)
  if (typeof timer === 'object') timer.unref()
  return () => clearInterval(timer)
}
