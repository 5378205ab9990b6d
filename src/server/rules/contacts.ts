import { contactOf, driverCardOf, type User } from '#domain/users/user.ts'
import type { Stores } from '../ports/repo.ts'
import { deliveryChanged } from './change-events.ts'

/** What a sender sees of the driver who accepts now (R114). */
export const cardOf = async (stores: Stores, driver: User) =>
  driverCardOf(driver, await stores.users.driverRecord(driver.ID))

/**
 * Writes what is known of a person now into their unfinished deliveries, and into `more`, where the other party
 * reads it (R52, R113, R114).
 */
export async function refreshContacts(
  stores: Stores,
  user: User,
  at: string,
  more: readonly string[] = [],
): Promise<void> {
  const unfinished = await stores.deliveries.lockUnfinishedOf(user.ID)
  const others = more.filter((id) => !unfinished.some(({ ID }) => ID === id))
  const ended = await Promise.all(others.map((id) => stores.deliveries.lock(id)))
  for (const delivery of [...unfinished, ...ended.filter((each) => each !== undefined)]) {
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
