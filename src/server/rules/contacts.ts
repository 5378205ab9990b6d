import { contactOf, driverCardOf, type User } from '#domain/users/user.ts'
import { deliveryChanged } from '../ports/change-events.ts'
import type { Stores } from '../ports/repo.ts'
import type { StoredDelivery } from '../ports/stores/delivery-stores.ts'

/** What a sender sees of the driver who accepts now (R114). */
export const cardOf = async (stores: Stores, driver: User) =>
  driverCardOf(driver, await stores.users.driverRecord(driver.ID))

/** Writes what is known of a person now into their unfinished deliveries, where the other party reads it (R52, R113, R114). */
export async function refreshContacts(stores: Stores, user: User, at: string): Promise<void> {
  for (const delivery of await stores.deliveries.lockUnfinishedOf(user.ID)) {
    const { sender, driver } = delivery
    const isSender = sender?.id === user.ID
    const saved = await stores.deliveries.save(delivery, {
      ...delivery,
      ...(isSender ? { sender: contactOf(user), senderPhone: user.phone_number } : {}),
      ...(driver?.id === user.ID ? { driver: await cardOf(stores, user) } : {}),
      updatedAt: at,
    })
    await stores.publish(deliveryChanged(saved))
  }
}

/**
 * Writes a person's new rating into the rated delivery, and nothing else: the delivery has ended, so it must
 * not reveal their current phone number (R129). Locks the row.
 */
export async function showRating(
  stores: Stores,
  delivery: StoredDelivery,
  { ID, rating }: User,
  at: string,
): Promise<StoredDelivery> {
  const side = delivery.driver?.id === ID ? 'driver' : 'sender'
  const contact = delivery[side]
  if (!contact || !rating) return delivery
  const shown = { ...delivery, [side]: { ...contact, rating }, updatedAt: at }
  const saved = await stores.deliveries.save(delivery, shown)
  await stores.publish(deliveryChanged(saved))
  return saved
}
