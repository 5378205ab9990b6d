import { expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { earningsOf } from '../../../../src/app/screens/deliveries/earnings-of.ts'
import { deliveryOf } from '../../../helpers/device/context.ts'

const row = (view: Partial<Delivery>, server?: Partial<Delivery>): DeliveryRow => ({
  account: 'kofi',
  ID: 'd',
  view: deliveryOf('d', view),
  server: server && deliveryOf('d', server),
  known: true,
  marks: [],
})

test('R41, R105, R107: offers of approved jobs and shares of cancelled ones were paid, to the pesewa', () => {
  const rows = [
    row({ status: 'Approved', offer: 0.1 }),
    row({ status: 'Approved', offer: 0.2 }),
    row({ status: 'Cancelled', offer: 60, outcome: 'returned', driverShare: 45.35 }),
    row({ status: 'Cancelled', offer: 60, outcome: 'split', driverShare: 20 }),
    row({ status: 'Cancelled', offer: 60 }),
    row({ status: 'Delivered', offer: 30 }),
    row({ status: 'Delivered', offer: 5, disputed: true }),
    row({ status: 'Picked Up', offer: 9, returning: { at: '', reason: 'absent' } }),
    row({ status: 'Accepted', offer: 7 }),
  ]
  expect(earningsOf(rows)).toEqual({ paid: 65.65, waiting: 35, completed: 4 })
})

test('R105: a code that was entered for a parcel on its way back is no delivery yet', () => {
  const returning = { at: '', reason: 'absent' }
  const server = { status: 'Picked Up', offer: 60, returning } as const
  const rows = [row({ ...server, status: 'Delivered' }, server)]
  expect(earningsOf(rows)).toEqual({ paid: 0, waiting: 0, completed: 0 })
})
