import type { Delivery } from '#domain/delivery.ts'
import { isApprovedDriver, type User } from '#domain/user.ts'

/**
 * What changed, and who may hear of it. Names things by their ID alone: what they have become is
 * for each to fetch, seen with their own eyes.
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

export const canReceive = (user: User, news: ChangeEvent): boolean =>
  news.everyone === true ||
  news.to.includes(user.ID) ||
  (news.admins === true && user.role === 'admin') ||
  (news.drivers === true && isApprovedDriver(user))

/** Its two sides and admins; those who look for jobs as well while it is on offer, or just was. */
export function deliveryChanged(delivery: Delivery, before?: Delivery): ChangeEvent {
  const to = [delivery.sender?.id, delivery.driver?.id].filter((id) => id !== undefined)
  const drivers = delivery.status === 'Pending' || before?.status === 'Pending'
  return { about: 'delivery', id: delivery.ID, to, admins: true, drivers }
}
