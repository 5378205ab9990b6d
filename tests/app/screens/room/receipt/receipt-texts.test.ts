import { describe, expect, test } from 'vitest'
import { receiptLines, receiptOf, receiptText } from '#app/screens/room/receipt/receipt-texts.ts'
import { longDate } from '#app/texts/time.ts'
import { type Delivery, isActiveDelivery } from '#domain/deliveries/delivery.ts'
import { isHeld } from '#domain/deliveries/endings/cancel-hold.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { deliveryOf } from '../../../../helpers/device/context.ts'
import { everyState } from '../../../texts/every-state.ts'

const at = (hour: number) => `2026-11-21T${hour}:00:00.000Z`
const approved = deliveryOf('019a0000-0000-7000-8000-000000000000', {
  status: 'Approved',
  driver: { id: 'kofi', name: 'Kofi Boateng' },
  tip: 5,
  paidBy: 'momo',
  feePercent: 10,
  payout: { status: 'paid' },
  history: [
    { status: 'Pending', at: at(10) },
    { status: 'Accepted', at: at(11) },
    { status: 'Picked Up', at: at(12) },
    { status: 'Delivered', at: at(13) },
    { status: 'Approved', at: at(14) },
  ],
})
const cancelled = (more: Partial<Delivery>): Delivery => ({
  ...approved,
  status: 'Cancelled',
  tip: undefined,
  paidBy: undefined,
  history: [
    { status: 'Pending', at: at(10) },
    { status: 'Cancelled', at: at(11) },
  ],
  ...more,
})
const said = (view: Delivery, as: 'sender' | 'driver') => Object.fromEntries(receiptLines(view, as))

describe('R185: a receipt', () => {
  test('says to the sender what they paid, how and when, and names the driver by a first name', () => {
    expect(receiptLines(approved, 'sender')).toEqual([
      ['Reference', 'SOMA-0000'],
      ['Item', 'Laptop'],
      ['Route', 'Osu to Tema'],
      ['Driver', 'Kofi'],
      ['Offer', 'GH₵ 60.00'],
      ['Tip', 'GH₵ 5.00'],
      ['Total', 'GH₵ 65.00'],
      ['Paid', 'By mobile money, to the driver'],
      ['Requested', longDate(at(10))],
      ['Accepted', longDate(at(11))],
      ['Picked up', longDate(at(12))],
      ['Delivered', longDate(at(13))],
      ['Approved', longDate(at(14))],
    ])
  })

  test('R174: says to the driver what is left of it', () => {
    expect(said(approved, 'driver')).toMatchObject({
      Offer: 'GH₵ 60.00',
      Tip: 'GH₵ 5.00',
      'Fee (10 %)': '−GH₵ 6.00',
      'You get': 'GH₵ 59.00',
    })
    expect(said({ ...approved, feePercent: undefined }, 'driver')).toMatchObject({
      'You get': 'GH₵ 65.00',
    })
    expect(said(approved, 'sender')).not.toHaveProperty('Fee (10 %)')
  })

  test.each<[string, Delivery, Record<string, string | undefined>]>([
    ['in cash', { ...approved, paidBy: 'cash' }, { Paid: 'In cash, to the driver' }],
    [
      'not received',
      { ...approved, payout: { status: 'waiting' }, disputed: true },
      { Paid: 'The driver has not received it' },
    ],
    ['by a client that did not ask', { ...approved, paidBy: undefined }, { Paid: 'To the driver' }],
    [
      'by itself',
      {
        ...approved,
        paidBy: undefined,
        history: [{ status: 'Approved', at: at(14), automatic: true }],
      },
      { Paid: 'Not said yet' },
    ],
    [
      'to a provider',
      { ...approved, payment: { status: 'released' } },
      { Paid: 'By mobile money, through a payment provider' },
    ],
    ['never', cancelled({ driver: undefined }), { 'Not owed': 'GH₵ 60.00', Paid: undefined }],
    [
      'back',
      cancelled({ payment: { status: 'refunded' } }),
      { Refunded: `GH₵ 60.00, ${longDate(at(11))}`, Paid: undefined },
    ],
    [
      'for a return',
      cancelled({ outcome: 'returned', driverShare: 45 }),
      { 'Driver’s part': 'GH₵ 45.00', 'Not owed': 'GH₵ 15.00', Returned: longDate(at(11)) },
    ],
    [
      'as was decided',
      cancelled({
        outcome: 'split',
        driverShare: 20,
        payment: { status: 'refunded' },
        decision: { kind: 'split', reason: 'Both', at: at(15), driverShare: 20 },
      }),
      { 'Driver’s part': 'GH₵ 20.00', Refunded: `GH₵ 40.00, ${longDate(at(15))}` },
    ],
  ])('says how it was paid: %s', (_, view, lines) => {
    for (const [name, value] of Object.entries(lines))
      expect([name, said(view, 'sender')[name]]).toEqual([name, value])
  })

  test('is there once the server has ended it, and its money is held no more', () => {
    const row = (view: Delivery, more: Partial<DeliveryRow> = {}): DeliveryRow => ({
      account: 'u',
      ID: view.ID,
      view,
      known: true,
      marks: [],
      ...more,
    })
    for (const view of everyState().values()) {
      const isOver = !isActiveDelivery(view) && !isHeld(view)
      expect(receiptOf(row(view))).toBe(isOver ? view : undefined)
    }
    expect(receiptOf(row(cancelled({ refund: 'held' })))).toBeUndefined()
    const delivered: Delivery = { ...approved, status: 'Delivered' }
    expect(receiptOf(row(approved, { server: delivered }))).toBeUndefined()
    expect(receiptOf(row(approved, { known: false }))).toBeUndefined()
  })

  test('is shared as lines of text, without a number to call', () => {
    const view = { ...approved, driver: { id: 'kofi', name: 'Kofi Boateng', phone: '0244123456' } }
    const text = receiptText(view, 'driver')
    expect(text).toMatch(/^Soma receipt\nReference: SOMA-0000\n/)
    expect(text).not.toMatch(/0244|Boateng|undefined|NaN/)
  })
})
