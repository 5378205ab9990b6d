import { expect, test } from 'vitest'
import { earningsFile, placeOf } from '#app/screens/deliveries/earnings/earnings-texts.ts'
import { earnedOf, weeksOf } from '#app/screens/deliveries/earnings/job-earnings.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { deliveryOf } from '../../../helpers/device/context.ts'
import { present } from '../../../helpers/present.ts'

const row = (
  day: string,
  more: Partial<Delivery> = {},
  server?: Partial<Delivery>,
): DeliveryRow => {
  const history = [{ status: 'Delivered' as const, at: `${day}T10:00:00.000Z` }]
  const both = { status: 'Approved' as const, offer: 60, history }
  return {
    account: 'kofi',
    ID: day,
    view: deliveryOf(day, { ...both, ...more }),
    server: server && deliveryOf(day, { ...both, ...server }),
    known: true,
    marks: [],
  }
}
const earned = (...of: Parameters<typeof row>) => present(earnedOf(row(...of)))

test('R182: weeks begin on Monday, this week is there without jobs, and others only with some', () => {
  const days = ['2026-11-22', '2026-11-16', '2026-11-15', '2026-10-26']
  const weeks = weeksOf(
    days.map((day) => earned(day)),
    '2026-11-27',
  )
  expect(weeks.map((week) => [week.days[0]?.day, week.earned.map(({ day }) => day)])).toEqual([
    ['2026-11-23', []],
    ['2026-11-16', ['2026-11-22', '2026-11-16']],
    ['2026-11-09', ['2026-11-15']],
    ['2026-10-26', ['2026-10-26']],
  ])
  const byDay = weeks[1]?.days.map(({ day, earned }) => [day.slice(-2), earned.length])
  expect(byDay).toEqual([
    ['16', 1],
    ['17', 0],
    ['18', 0],
    ['19', 0],
    ['20', 0],
    ['21', 0],
    ['22', 1],
  ])
})

test('R105: a code that was entered for a parcel on its way back is no delivery yet', () => {
  const server = { status: 'Picked Up', returning: { at: '', reason: 'absent' } } as const
  expect(earnedOf(row('2026-11-22', { status: 'Delivered' }, server))).toBeUndefined()
})

test.each([
  ['Waiting for approval', { status: 'Delivered' }],
  ['Paid by the sender', { payout: { status: 'paid' } }],
  ['Not yet paid', { payout: { status: 'waiting' } }],
  ['Paid', {}],
  ['Waiting to be sent', { payment: { status: 'released' }, payout: { status: 'waiting' } }],
  ['On its way', { payment: { status: 'released' }, payout: { status: 'sent' } }],
  ['Failed', { payment: { status: 'released' }, payout: { status: 'failed' } }],
  ['Paid', { payment: { status: 'released' }, payout: { status: 'paid' } }],
] satisfies [string, Partial<Delivery>][])(
  'R171, R182: the money of a job is "%s"',
  (text, more) => {
    expect(placeOf(earned('2026-11-22', more))).toBe(text)
  },
)

test('R153, R182: the file has a line for each job, in cedis', async () => {
  const file = earningsFile([
    earned('2026-11-22', {
      itemDescription: '=1+1',
      tip: 5,
      feePercent: 10,
      payout: { status: 'paid' },
    }),
  ])
  expect((await file.text()).replace(/^\ufeff/, '')).toBe(
    [
      'Day,Job,Item,From,To,Offer,Tip,Fee,Net,Money',
      "2026-11-22,2026-11-22,'=1+1,Osu,Tema,60.00,5.00,6.00,59.00,Paid by the sender",
      '',
    ].join('\r\n'),
  )
})
