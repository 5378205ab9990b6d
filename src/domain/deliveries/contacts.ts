import { type Contact, firstNameOf, isApprovedDriver, isOffice } from '../users/user.ts'
import { type Actor, type Delivery, isActiveDelivery, isPartyTo, isSenderOf } from './delivery.ts'
import type { Side } from './dispute.ts'

/** Whether the two sides reach each other: until it is Approved or Cancelled, and while an issue is open (R129). */
export const areContactsOpen = (delivery: Pick<Delivery, 'status' | 'disputed'>): boolean =>
  isActiveDelivery(delivery) || delivery.disputed === true

/** What each side keeps of a delivery that has ended (R129). `side`: the reader's. */
export const withoutContacts = (side: Side, delivery: Delivery): Delivery =>
  side === 'sender' ? closedForSender(delivery) : closedForDriver(delivery)

/** All that the sender typed is theirs; of the driver the first name and the card stay. */
const closedForSender = ({ driver, incidents, ...own }: Delivery): Delivery => ({
  ...own,
  ...(driver ? { driver: firstNameAlone(driver) } : {}),
  ...(incidents ? { incidents: incidents.map(withFirstName) } : {}),
})

const hiddenFromDriver: ReadonlySet<string> = new Set<keyof Delivery>([
  'recipientPhone',
  'senderPhone',
  'pickupPlace',
  'dropoffPlace',
  'handoverHash',
])

/** Item, zones, money, times and first names: what a receipt needs. */
function closedForDriver(delivery: Delivery): Delivery {
  const kept = Object.entries(delivery).filter(([field]) => !hiddenFromDriver.has(field))
  const { recipientName, senderName, sender, ...rest } = Object.fromEntries(kept) as Delivery
  return {
    ...rest,
    ...(recipientName === undefined ? {} : { recipientName: firstNameOf(recipientName) }),
    ...(senderName === undefined ? {} : { senderName: firstNameOf(senderName) }),
    ...(sender ? { sender: firstNameAlone(sender) } : {}),
  }
}

/** Names what stays: what a contact has later is closed until it stands here. */
const firstNameAlone = ({ id, name, rating, photo, since, deliveries }: Contact): Contact => ({
  id,
  name: firstNameOf(name),
  ...(rating ? { rating } : {}),
  ...(photo ? { photo } : {}),
  ...(since ? { since } : {}),
  ...(deliveries === undefined ? {} : { deliveries }),
})

const withFirstName = <T extends { name?: string }>(incident: T): T =>
  incident.name === undefined ? incident : { ...incident, name: firstNameOf(incident.name) }

/**
 * A delivery as an earlier response gave it, with the contacts that its reader may have now (R129): a repeat of a
 * request shows nobody what has ended, or is another driver's, since. `now`: the whole row.
 */
export function asReplayed(
  reader: Actor | undefined,
  stored: Delivery,
  now: Delivery | undefined,
): Delivery {
  if (!reader || ('user' in reader && isOffice(reader.user))) return stored
  const side = isSenderOf(stored, reader) ? 'sender' : 'driver'
  const isStillTheirs =
    now !== undefined &&
    isPartyTo(now, reader) &&
    now.driver?.id === stored.driver?.id &&
    (side === 'sender' || ('user' in reader && isApprovedDriver(reader.user)))
  return isStillTheirs && areContactsOpen(now) ? stored : withoutContacts(side, stored)
}
