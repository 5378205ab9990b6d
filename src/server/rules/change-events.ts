import type { Delivery } from '#domain/deliveries/delivery.ts'
import { isApprovedDriver, type User } from '#domain/users/user.ts'

/**
 * What changed, and who may learn of it (R75). It carries an ID and no content: each receiver fetches
 * the part they may see.
 */
export type ChangeEvent = {
  /** What to read again: one delivery, lists, or the person's own account. */
  about: 'delivery' | 'zones' | 'items' | 'users' | 'drivers' | 'disputes' | 'activities' | 'me'
  id?: string
  /** User IDs. */
  to: string[]
  admins?: boolean
  /** Approved drivers who are looking for jobs. */
  drivers?: boolean
  everyone?: boolean
}

/** Whether this event is for this user. */
export const canReceive = (user: User, event: ChangeEvent): boolean =>
  event.everyone === true ||
  event.to.includes(user.ID) ||
  (event.admins === true && user.role === 'admin') ||
  (event.drivers === true && isApprovedDriver(user))

/** The event of a changed delivery: for its two parties and admins, and for drivers while it is or was Pending. */
export function deliveryChanged(delivery: Delivery, before?: Delivery): ChangeEvent {
  const to = [delivery.sender?.id, delivery.driver?.id].filter((id) => id !== undefined)
  const drivers = delivery.status === 'Pending' || before?.status === 'Pending'
  return { about: 'delivery', id: delivery.ID, to, admins: true, drivers }
}
