import type { Delivery } from '#domain/deliveries/delivery.ts'

/** The person whose deliveries are pulled. */
export const sender = {
  ID: '018f0000-0000-7000-8000-00000000feed',
  name: 'Ama Owusu',
  email: 'ama@soma.test',
  phone_number: '0244999999',
  role: 'sender',
  Verified: true,
} as const

const photoUrl = 'http://127.0.0.1/api/images/a.jpg'

/** The first day of the month before: the phone drops ended deliveries after 90 days (S50). */
const today = new Date()
const start = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1)

const idAt = (index: number): string =>
  `018f0000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`

/** One of the sender's deliveries, as the server tells of it: about 700 bytes of JSON. `version` 0 is as it was first. */
export function rowAt(index: number, version = 0): Delivery {
  const createdAt = new Date(start + index * 60_000).toISOString()
  return {
    ID: idAt(index),
    status: 'Delivered',
    itemDescription: `Parcel ${index} of many, version ${version}`,
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    offer: 20 + (index % 80),
    itemPhoto: photoUrl,
    recipientName: 'Abena Mensah',
    recipientPhone: '0244123456',
    deliveryCode: '12345',
    isGuestDelivery: false,
    sender: {
      id: sender.ID,
      name: sender.name,
      phone: sender.phone_number,
      email: sender.email,
    },
    createdAt,
    updatedAt: new Date(start + index * 60_000 + version).toISOString(),
    history: [
      { status: 'Pending', at: createdAt },
      { status: 'Accepted', at: createdAt },
      { status: 'Delivered', at: createdAt },
    ],
  }
}

/** What a sender asks for, by number: the same fields for everybody. */
export const askAt = (index: number) => ({
  itemDescription: `Parcel ${index}`,
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  recipientName: 'Abena Mensah',
  recipientPhone: '0244123456',
  offer: 60,
  itemPhoto: photoUrl,
  senderName: sender.name,
  senderPhone: sender.phone_number,
})

export const numbers = (count: number): number[] => Array.from({ length: count }, (_, each) => each)
