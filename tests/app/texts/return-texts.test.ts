import { expect, test } from 'vitest'
import { sharesText, whyOnOffer } from '#app/texts/return-texts.ts'
import { deliveryOf } from '../../helpers/device/context.ts'

const start = Date.parse('2026-11-21T12:00:00.000Z')
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString()
test.each([
  [60, 60, 'You pay Kofi ₵60.', 'Kofi gets ₵60.'],
  [60, 0, 'You owe nothing.', '₵60 comes back to you.'],
  [60, 45.5, 'You pay Kofi ₵45.50, not ₵60.', 'Kofi gets ₵45.50, ₵14.50 comes back to you.'],
  [0.3, 0.1, 'You pay Kofi ₵0.10, not ₵0.30.', 'Kofi gets ₵0.10, ₵0.20 comes back to you.'],
])('R105: of ₵%d the driver gets %d: "%s"', (offer, driverShare, direct, provided) => {
  const view = deliveryOf('d', { offer, driverShare })
  expect(sharesText(view, 'Kofi')).toBe(direct)
  expect(sharesText({ ...view, payment: { status: 'held' } }, 'Kofi')).toBe(provided)
})

test('R101: a job that was never accepted has no reason to be on offer again', () => {
  expect(whyOnOffer(deliveryOf('d', { history: [{ status: 'Pending', at: at(0) }] }))).toBe(
    undefined,
  )
})
