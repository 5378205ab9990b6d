import { expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { earningOf, sumEarnings } from '#domain/payouts/earnings.ts'
import { deliveryOf } from '../../helpers/device/context.ts'

const at = '2026-11-20T23:30:00.000Z'
const job = (more: Partial<Delivery>) =>
  earningOf(
    deliveryOf('d', { status: 'Approved', history: [{ status: 'Delivered', at }], ...more }),
  )

test('R182: each place of the money has one sum, which together are the net: offers and tips without fees', () => {
  const earned = [
    job({ offer: 0.1 }),
    job({ offer: 0.2, payout: { status: 'paid' } }),
    job({ offer: 40, tip: 5, feePercent: 10, payout: { status: 'sent' } }),
    job({ offer: 30, payout: { status: 'failed' } }),
    job({ offer: 20, payout: { status: 'reversed' } }),
    job({ offer: 10, payout: { status: 'waiting' } }),
    job({ offer: 8, payout: { status: 'a status of a newer server' } }),
    job({ offer: 7, status: 'Delivered', feePercent: 10 }),
    job({ offer: 60, status: 'Cancelled', outcome: 'returned', driverShare: 45.35 }),
  ].map((each) => each ?? expect.fail())
  const sums = sumEarnings(earned, '2026-11-20', '2026-11-21')
  expect(sums).toEqual({
    offers: 160.65,
    tips: 5,
    fees: 4.7,
    net: 160.95,
    waiting: 24.3,
    onItsWay: 41,
    paid: 45.65,
    failed: 50,
    days: [
      { day: '2026-11-20', net: 160.95, jobs: 9 },
      { day: '2026-11-21', net: 0, jobs: 0 },
    ],
  })
  expect(sumEarnings(earned, '2026-11-21', '2026-11-30').net).toBe(0)
})

test('R105, R182: nothing is earned of what goes on, comes back or was refunded', () => {
  const returning = { at, reason: 'absent' }
  for (const more of [
    { status: 'Accepted' },
    { status: 'Picked Up', returning },
    { status: 'Pending' },
    { status: 'Cancelled' },
  ] as const)
    expect(job({ offer: 60, ...more })).toBeUndefined()
})

test('R133, R182: the day is the one on which it was delivered, as it counts, or on which it ended', () => {
  const effectiveAt = '2026-11-19T22:00:00.000Z'
  const end = { status: 'Cancelled', at: '2026-11-22T08:00:00.000Z' } as const
  const late = { status: 'Delivered', at, late: true } as const
  expect(job({})?.day).toBe('2026-11-20')
  expect(job({ history: [{ status: 'Delivered', at, effectiveAt }] })?.day).toBe('2026-11-19')
  const share = { status: 'Cancelled', driverShare: 5 } as const
  expect(job({ ...share, history: [late, end] })?.day).toBe('2026-11-22')
  expect(job({ history: undefined, updatedAt: '2026-11-23T08:00:00.000Z' })?.day).toBe('2026-11-23')
})
