import { expect, test } from 'vitest'
import { nextStep } from '#app/texts/next-step.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { DeliveryRow, PendingOperation } from '#store/rows.ts'

const at = '2026-11-21T10:00:00.000Z'
const view: Delivery = {
  ID: 'd',
  status: 'Delivered',
  itemDescription: 'Laptop',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  offer: 60,
  isGuestDelivery: false,
  createdAt: at,
  updatedAt: at,
  history: [],
}
const row = (over: Partial<PendingOperation>): DeliveryRow => ({
  account: 'u',
  ID: 'd',
  view,
  known: true,
  marks: [{ entry: 'e', op: 'completeDelivery', state: 'waiting', ...over }],
})

test('R110: a hand-over that this phone has proved may go on; digits wait for the server', () => {
  expect(nextStep(row({ proved: true }), 'driver')).toMatchObject({
    title: 'Right code. Hand over.',
    text: "Saved on this phone. Sends when you're online.",
  })
  expect(nextStep(row({}), 'driver')).toMatchObject({ title: "Don't hand over yet" })
})

test('R110: a proof that the server refuses is not said to be right', () => {
  const refused = nextStep(row({ proved: true, state: 'refused' }), 'driver')
  expect(refused.title).not.toContain('Right code')
})
