import { setTimeout as pause } from 'node:timers/promises'
import { v7 } from 'uuid'
import type { Caller } from './caller.ts'
import type { Journal } from './journal.ts'

const zones = ['Osu', 'Tema', 'Labone', 'Madina']

/** A guest who asks for one delivery after another, waits for each and approves it. Until `isOver`. */
export async function guest(
  number: number,
  origin: string,
  { read, change }: Caller,
  journal: Journal,
  isOver: () => boolean,
): Promise<void> {
  const phone = `024${String(1_000_000 + number)}`
  while (!isOver()) {
    const key = v7()
    const created = await change('createGuestDelivery', {
      key,
      body: {
        itemDescription: `Parcel ${key}`,
        pickupZone: zones[number % 4] ?? 'Osu',
        dropoffZone: zones[(number + 1) % 4] ?? 'Tema',
        offer: 20 + (number % 30),
        recipientName: 'Esi Recipient',
        recipientPhone: '0550000001',
        itemPhoto: `${origin}/api/images/${'ab'.repeat(32)}.jpg`,
        senderName: `Guest ${number}`,
        senderPhone: phone,
        guestSecret: v7(),
      },
    })
    if (!created) continue
    const { delivery, guestToken: token } = created
    if (delivery.ID !== key || !token || !delivery.deliveryCode) {
      journal.violate(`the create ${key} was answered with the delivery ${delivery.ID}`)
      continue
    }
    const acknowledged = { code: delivery.deliveryCode, statuses: ['Pending'] }
    journal.deliveries.set(key, acknowledged)
    await pause(200 + Math.random() * 400)
    while (!isOver()) {
      const seen = (await read('getDelivery', { id: key, token })).delivery
      if (seen.status === 'Delivered') break
      await pause(600 + Math.random() * 400)
    }
    if (isOver()) return
    const body = { status: 'Approved' as const, guestPhone: phone }
    const approved = await change('changeGuestStatus', { id: key, token, body })
    if (approved) acknowledged.statuses.push(approved.delivery.status)
  }
}
