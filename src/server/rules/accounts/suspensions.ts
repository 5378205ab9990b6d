import type { Suspension } from '#domain/users/standing/suspension.ts'
import type { User } from '#domain/users/user.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { releaseJobsOf } from '../deliveries/rejected-driver.ts'
import { saveDelivery } from '../deliveries/save-delivery.ts'
import { repeatedly } from '../repeatedly.ts'

/**
 * Suspends a person whose row is locked (R198): their sessions end, their jobs go as those of a rejected driver (R5), and
 * their requests leave the offers (R199).
 */
export async function suspend(
  stores: Stores,
  secrets: Secrets,
  { ID, suspended }: User,
  suspension: Suspension,
): Promise<void> {
  await stores.users.change(ID, { suspended: suspension })
  await stores.sessions.endAllOf(ID)
  // First, so that their phone hears of nothing else (R96).
  await stores.publish({ about: 'me', to: [ID] })
  if (suspended) return
  await releaseJobsOf(stores, secrets, ID, suspension.at, 'suspended')
  await withhold(stores, secrets, ID, true, suspension.at)
}

/** Ends the suspension of a person whose row is locked: what they had requested is on offer again (R199). */
export async function lift(
  stores: Stores,
  secrets: Secrets,
  { ID }: User,
  at: string,
): Promise<void> {
  await stores.users.change(ID, { suspended: null })
  await withhold(stores, secrets, ID, undefined, at)
}

/** Also what a driver has: should it be given back, it is not on offer. */
async function withhold(
  stores: Stores,
  secrets: Secrets,
  senderId: string,
  withheld: true | undefined,
  at: string,
) {
  for (const delivery of await stores.deliveries.lockUnfinishedOf(senderId))
    if (delivery.sender?.id === senderId && delivery.withheld !== withheld)
      await saveDelivery(stores, secrets, delivery, { ...delivery, withheld, updatedAt: at })
}

/** People of one pass. */
const batchSize = 50

/** Lifts the suspensions whose end has come (R198). Several processes may do this at once. */
export async function liftDueSuspensions({
  repo,
  clock,
  secrets,
}: Pick<Ports, 'repo' | 'clock' | 'secrets'>): Promise<void> {
  const at = new Date(clock()).toISOString()
  for (const id of await repo.read(({ users }) => users.suspendedUntil(at, batchSize)))
    await repo.transaction(async (stores) => {
      const user = await stores.users.lock(id)
      if (!user?.suspended?.until || user.suspended.until > at) return
      await lift(stores, secrets, user, at)
      await stores.publish({ about: 'users', id, to: [], admins: true })
    })
}

/** Milliseconds between two looks for suspensions whose end has come. */
const interval = 20_000

/** Looks for them now and every 20 seconds. Returns the function that ends it. */
export function startDueSuspensions(
  ports: Pick<Ports, 'repo' | 'clock' | 'secrets' | 'log'>,
): () => void {
  const { pass, end } = repeatedly(
    interval,
    () => liftDueSuspensions(ports),
    (error) =>
      ports.log.warn(
        { err: error },
        'Suspensions whose end has come were not lifted; the next try is in 20 seconds',
      ),
  )
  void pass()
  return end
}
