import type { Delivery } from '#domain/deliveries/delivery.ts'
import { pairCountsOnceIn, type Ratings } from '#domain/users/rating.ts'
import { isConfirmedByGuest } from '../notifications/guest-phones.ts'
import type { Stores } from '../ports/repo.ts'
import type { Secrets } from '../ports/secrets.ts'
import { refreshContacts, showRating } from './contacts.ts'

/**
 * Whether a rating that this side gives now counts in the other's average: a guest's only once their number was
 * confirmed, and one for a pair of people in 30 days (R137). The rated person is locked, so that two ratings of one
 * pair do not both pass.
 */
export async function ratingCounts(
  stores: Stores,
  secrets: Secrets,
  delivery: Delivery,
  side: keyof Ratings,
  at: string,
): Promise<boolean> {
  const { isGuestDelivery, senderPhone = '', sender, driver } = delivery
  if (!driver) return false
  if (isGuestDelivery && !(await isConfirmedByGuest(stores, secrets, senderPhone))) return false
  const since = new Date(Date.parse(at) - pairCountsOnceIn).toISOString()
  const pair = { side, driver: driver.id, sender: { id: sender?.id, phone: senderPhone } }
  return !(await stores.deliveries.hasCountedRating(pair, since))
}

/** After a guest has confirmed this number their earlier ratings count, one for each driver (R137). */
export async function countRatingsOfGuest(
  stores: Stores,
  secrets: Secrets,
  phone: string,
  at: string,
): Promise<void> {
  const found = await stores.deliveries.uncountedOfGuest(phone)
  const drivers = found.map(({ driver }) => driver?.id).filter((id) => id !== undefined)
  // People before deliveries, in order of ID, as every change does (R138).
  for (const id of [...new Set(drivers)].sort()) await stores.users.lock(id)
  for (const { ID } of found) {
    const delivery = await stores.deliveries.lock(ID)
    const rating = delivery?.ratings?.sender
    if (!delivery?.driver || rating?.counted !== false) continue
    if (!(await ratingCounts(stores, secrets, delivery, 'sender', rating.at))) continue
    const ratings = { ...delivery.ratings, sender: { ...rating, counted: undefined } }
    const saved = await stores.deliveries.save(delivery, { ...delivery, ratings })
    const rated = await stores.users.rate(delivery.driver.id, rating.stars)
    if (!rated) continue
    await refreshContacts(stores, rated, at)
    await showRating(stores, saved, rated, at)
    await stores.publish({ about: 'me', to: [rated.ID] })
  }
}
