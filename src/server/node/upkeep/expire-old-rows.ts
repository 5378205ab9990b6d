import { lifetimeOf } from '#domain/personal/retention.ts'
import { guestTokenLifetime, sessionLifetime } from '../../http/authenticate.ts'
import { storedResponses } from '../../http/idempotency/idempotency.ts'
import { deviceLifetime } from '../../http/support-contacts.ts'
import { collectPhotoGarbage } from '../../photos/collect-garbage.ts'
import type { Ports } from '../../ports/ports.ts'
import { repeatedly } from '../../rules/repeatedly.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour
/** Deletes what is older than `retention` allows (R218): rows that are not somebody's deliveries or account. */
export async function expireOldRows({
  repo,
  secrets,
  clock,
  options,
}: Pick<Ports, 'repo' | 'secrets' | 'clock' | 'options'>): Promise<void> {
  const before = (age: number) => new Date(clock() - age).toISOString()
  // Failed logins and the daily SMS budget count attempts of a day.
  const longest = Math.max(
    lifetimeOf('attempt'),
    ...Object.values(options.limits).map(({ within }) => within),
  )
  await repo.transaction(async (stores) => {
    const { requests, attempts, codes, sessions, guestTokens, devices, activities } = stores
    await requests.sweep(
      before(options.idempotencyDays * day),
      before(Math.min(options.idempotencyDays * day, lifetimeOf('refusal'))),
    )
    await attempts.sweep(before(longest))
    await codes.sweep(before(lifetimeOf('attempt')))
    await activities.sweep(before(lifetimeOf('activity')))
    await devices.sweep(before(deviceLifetime))
    await stores.notifications?.sweep(before(lifetimeOf('notification')))
    await stores.invitations.sweep(before(0))
    await guestTokens.sweep(before(guestTokenLifetime))
    await sessions.sweep(before(sessionLifetime.unused), before(sessionLifetime.whole))
  })
  await storedResponses(repo, secrets).cutTooLarge()
}

/** Deletes expired rows and photos now and every hour. Returns the function that ends it. */
export function startExpiry(ports: Ports): () => void {
  const { pass, end } = repeatedly(
    hour,
    async () => {
      await expireOldRows(ports)
      await collectPhotoGarbage(ports)
    },
    (error) =>
      ports.log.warn(
        { err: error },
        'Expired rows and photos were not deleted; the next try is in an hour',
      ),
  )
  void pass()
  return end
}
