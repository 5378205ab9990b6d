import { describe, expect, test } from 'vitest'
import { returnableAt, sharesOf, sharesText, whyOnOffer } from '#app/texts/exit-texts.ts'
import { deliveryOf } from '../../helpers/device/context.ts'

const start = Date.parse('2026-11-21T12:00:00.000Z')
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString()
const ten = 600

describe('R103: from when on a parcel can be returned, by the clock of the driver’s phone', () => {
  /** `acted`: by the phone's clock; `received` and `from`: by the server's; seconds. */
  const attempted = (acted: number | undefined, received: number, from: number) =>
    deliveryOf('d', {
      status: 'Picked Up',
      returnFrom: at(from),
      incidents: [
        {
          kind: 'attempt',
          reason: 'absent',
          at: at(received),
          occurredAt: acted === undefined ? undefined : at(acted),
        },
        { kind: 'attempt', reason: 'absent', at: at(9_000), occurredAt: at(99_000) },
      ],
    })

  test.each([
    ['sent at once', 0, 0, ten, ten],
    ['sent an hour later, counted from when the driver acted', 0, 3_600, ten, ten],
    ['without the driver’s time, from the receipt', undefined, 30, 30 + ten, 30 + ten],
    ['by a phone that is five minutes ahead, counted from the receipt', 300, 0, ten, 300 + ten],
    ['by a phone set back before the pickup, from the receipt', -90_000, 30, 30 + ten, 30 + ten],
  ])('%s', (_, acted, received, from, expected) => {
    expect(returnableAt(attempted(acted, received, from))).toBe(start + expected * 1_000)
  })

  test('there is none before the first attempt', () => {
    expect(returnableAt(deliveryOf('d', { status: 'Picked Up' }))).toBeUndefined()
  })
})

test.each([
  [60, 60, 'Kofi gets ₵60.'],
  [60, 0, '₵60 comes back to you.'],
  [60, 45.5, 'Kofi gets ₵45.50, ₵14.50 comes back to you.'],
  [0.3, 0.1, 'Kofi gets ₵0.10, ₵0.20 comes back to you.'],
])('R105: of ₵%d the driver gets %d: "%s"', (offer, share, text) => {
  expect(sharesText(sharesOf(offer, share), 'Kofi')).toBe(text)
})

test('R101: a job that was never accepted has no reason to be on offer again', () => {
  expect(whyOnOffer(deliveryOf('d', { history: [{ status: 'Pending', at: at(0) }] }))).toBe(
    undefined,
  )
})
