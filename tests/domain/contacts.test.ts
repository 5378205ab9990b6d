import { describe, expect, test } from 'vitest'
import { type Actor, type Delivery, isActiveDelivery, Status } from '#domain/deliveries/delivery.ts'
import { visibleFields } from '#domain/deliveries/permissions.ts'
import type { Contact, User } from '#domain/users/user.ts'

/* R129 as a table: every status, with and without an open issue, for every reader and every field of a contact. */

const at = '2026-11-26T10:00:00.000Z'
const person = (ID: string, role: User['role'], more: Partial<User> = {}): User => ({
  ID,
  name: `${ID} Full`,
  email: `${ID}@example.com`,
  phone_number: '0240000000',
  role,
  Verified: true,
  ...more,
})
const approved = { driverStatus: 'approved' } as const
const readers = {
  sender: { user: person('ama', 'sender') },
  guest: { guestOf: 'd1' },
  driver: { user: person('yaw', 'driver', approved) },
  admin: { user: person('root', 'admin') },
  'another driver': { user: person('kojo', 'driver', approved) },
  'another sender': { user: person('esi', 'sender') },
} satisfies Record<string, Actor>
type Reader = keyof typeof readers

/** Each text stands in one field alone. */
const ofSender = {
  senderPhone: '0241111111',
  senderName: 'Sendername',
  contactPhone: '0242222222',
  contactEmail: 'sender@example.com',
  contactName: 'Sendercontact',
  recipientPhone: '0243333333',
  recipientName: 'Recipientname',
  pickupText: 'Blue gate',
  pickupPin: '5.61111',
  dropoffNote: 'Ask for Auntie',
  handoverHash: 'ab'.repeat(32),
}
const ofDriver = {
  phone: '0244444444',
  email: 'driver@example.com',
  name: 'Drivername',
  licence: 'LIC-77',
  former: 'Formername',
}

const sender: Contact = {
  id: 'ama',
  name: `Ama ${ofSender.contactName}`,
  phone: ofSender.contactPhone,
  email: ofSender.contactEmail,
}
const driver: Contact = {
  id: 'yaw',
  name: `Yaw ${ofDriver.name}`,
  phone: ofDriver.phone,
  email: ofDriver.email,
  licence: { number: ofDriver.licence, expires: '2027-01-01' },
}

function deliveryOf(status: Status, isGuestDelivery: boolean, disputed?: true): Delivery {
  return {
    ID: 'd1',
    status,
    itemDescription: 'Documents',
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    offer: 60,
    recipientName: `Esi ${ofSender.recipientName}`,
    recipientPhone: ofSender.recipientPhone,
    isGuestDelivery,
    senderName: `Ama ${ofSender.senderName}`,
    senderPhone: ofSender.senderPhone,
    ...(isGuestDelivery ? {} : { sender }),
    ...(status === 'Pending' ? {} : { driver }),
    createdAt: at,
    updatedAt: at,
    history: [],
    pickupPlace: { text: ofSender.pickupText, lat: Number(ofSender.pickupPin), lng: -0.1 },
    dropoffPlace: { note: ofSender.dropoffNote },
    handoverHash: ofSender.handoverHash,
    incidents: [
      { kind: 'release', reason: 'Flat tyre', driver: 'abe', name: `Abe ${ofDriver.former}`, at },
    ],
    disputed,
  }
}

/** Which of the texts a reader may read. */
function expected(reader: Reader, delivery: Delivery): string[] {
  const isOpen = isActiveDelivery(delivery) || delivery.disputed
  const { contactPhone, contactEmail, contactName, ...typed } = ofSender
  const senders = delivery.isGuestDelivery
    ? Object.values(typed)
    : [...Object.values(typed), contactPhone, contactEmail, contactName]
  const { former, ...card } = ofDriver
  const drivers = delivery.driver ? Object.values(card) : []
  const isSender = reader === (delivery.isGuestDelivery ? 'guest' : 'sender')
  if (reader === 'admin') return [...senders, ...drivers, former]
  if (isSender) return isOpen ? [...senders, ...drivers, former] : senders
  const isDriver = reader === 'driver' && delivery.status !== 'Pending'
  return isDriver ? (isOpen ? [...senders, ...drivers] : drivers) : []
}

describe('R129: contacts are visible until the delivery has ended, and while an issue is open', () => {
  const all = [...Object.values(ofSender), ...Object.values(ofDriver)].sort()
  for (const isGuest of [false, true])
    for (const status of Status.options)
      for (const disputed of [undefined, true] as const)
        for (const reader of Object.keys(readers) as Reader[]) {
          const whose = isGuest ? 'a guest' : 'a sender'
          const title = `${status}${disputed ? ', disputed' : ''}, of ${whose}, read by ${reader}`
          test(title, () => {
            const delivery = deliveryOf(status, isGuest, disputed)
            const text = JSON.stringify(visibleFields(readers[reader], delivery) ?? null)
            const read = all.filter((each) => text.includes(each))
            expect(read).toEqual(expected(reader, delivery).sort())
          })
        }

  test('first names, item, zones, money and times stay', () => {
    const seen = visibleFields(readers.driver, deliveryOf('Approved', false))
    expect(seen).toMatchObject({
      senderName: 'Ama',
      sender: { id: 'ama', name: 'Ama' },
      recipientName: 'Esi',
      itemDescription: 'Documents',
      pickupZone: 'Osu',
      offer: 60,
      createdAt: at,
    })
    expect(visibleFields(readers.sender, deliveryOf('Approved', false))?.driver?.name).toBe('Yaw')
  })
})
