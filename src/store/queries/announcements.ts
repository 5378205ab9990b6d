import { type Delivery, isDriverOf, isSenderOf } from '#domain/deliveries/delivery.ts'
import type { DriverStatus } from '#domain/users/user.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { hiddenGuests } from '../account/hidden-guests.ts'
import { isCurrentRow } from '../deliveries/row-schema.ts'
import type { DeliveryRow } from '../rows.ts'
import { actorOf, currentSession } from '../session.ts'
import type { SomaDb, TakenJob } from '../soma-db.ts'

/** `as`: what this person is to the delivery. */
export type ChangedDelivery = { delivery: Delivery; as: 'sender' | 'driver' }

/** What others did and this person was not told of yet (R100). */
export type Announcements = {
  /** Newest last. */
  deliveries: ChangedDelivery[]
  driverStatus?: DriverStatus
}

/** Everything that this person, or the guest of this phone, was not told of yet. */
export async function announcements(db: SomaDb): Promise<Announcements> {
  const session = await currentSession(db)
  const accounts = new Set([guestAccount, ...(session ? [session.account] : [])])
  const hidden = await hiddenGuests(db)
  const rows: DeliveryRow[] = []
  for (const account of accounts)
    rows.push(
      ...(await db.deliveries.where('[account+unseen]').equals([account, 1]).toArray()).filter(
        (row) => isCurrentRow(row) && (account !== guestAccount || !hidden.has(row.ID)),
      ),
    )
  const taken = session ? await takenJobs(db, session.account) : []
  const driverStatus = session?.user.driverStatus
  const isOther = session?.toldStatus !== undefined && session.toldStatus !== driverStatus
  return {
    deliveries: [
      ...taken.map((delivery) => ({ delivery, as: 'driver' as const })),
      ...rows
        .sort((a, b) => a.view.updatedAt.localeCompare(b.view.updatedAt))
        .flatMap(({ account, ID, view }): ChangedDelivery[] => {
          const actor = actorOf(session, account, ID)
          if (!actor) return []
          if (isSenderOf(view, actor)) return [{ delivery: view, as: 'sender' }]
          return 'user' in actor && isDriverOf(view, actor.user)
            ? [{ delivery: view, as: 'driver' }]
            : []
        }),
    ],
    driverStatus: isOther ? driverStatus : undefined,
  }
}

/** Jobs that this driver has no more and was not told of yet (S86). */
async function takenJobs(db: SomaDb, account: string): Promise<Delivery[]> {
  const found = await db.meta.where('key').startsWith(`taken:${account}:`).toArray()
  return found.flatMap(({ value }) => {
    const { job, seen } = value as TakenJob
    return seen ? [] : [job]
  })
}
