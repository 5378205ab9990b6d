import { expect, test } from 'vitest'
import { stopsOf } from '#app/screens/room/parties/places.tsx'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { deliveryOf } from '../../../../helpers/device/context.ts'
import { person } from '../../../../helpers/device/device.ts'

const kofi = { id: 'kofi', name: 'Kofi', phone: '0244000000' }
const delivery = (more: object) =>
  deliveryOf('d1', {
    driver: kofi,
    pickupPlace: { text: 'Blue gate' },
    dropoffPlace: { note: 'Second floor' },
    ...more,
  } as never) as Delivery
const names = (view: Delivery, ID = 'kofi') =>
  stopsOf(view, { user: person(ID, 'driver') }).map(({ name }) => name)

test.each([
  ['Accepted', {}, ['Pickup', 'Drop-off']],
  ['Picked Up', {}, ['Drop-off', 'Pickup']],
  ['Picked Up', { returning: { at: '', reason: 'absent' } }, ['Pickup', 'Drop-off']],
  ['Delivered', {}, ['Pickup', 'Drop-off']],
])('R112: %s %j: the driver’s next door comes first', (status, more, order) => {
  expect(names(delivery({ status, ...more }))).toEqual(order)
  expect(names(delivery({ status, ...more }), 'ama')).toEqual(['Pickup', 'Drop-off'])
})

test('R112: a door that nobody described is not listed', () => {
  expect(names(delivery({ pickupPlace: { text: '' }, dropoffPlace: undefined }))).toEqual([])
})
