import { expect, test } from 'vitest'
import { nextStopOf, stopsOf } from '#app/screens/room/parties/places.tsx'
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
const nextOf = (view: Delivery, ID = 'kofi') =>
  nextStopOf(view, { user: person(ID, 'driver') })?.name

test.each([
  ['Accepted', {}, 'Pickup'],
  ['Accepted', { pickupPlace: undefined }, undefined],
  ['Picked Up', {}, 'Drop-off'],
  ['Picked Up', { returning: { at: '', reason: 'absent' } }, 'Pickup'],
  ['Delivered', {}, undefined],
])('R112: %s %j: the driver’s task has the next door: %s', (status, more, next) => {
  expect(nextOf(delivery({ status, ...more }))).toBe(next)
  expect(nextOf(delivery({ status, ...more }), 'ama')).toBeUndefined()
})

test('R112: a door that nobody described is not listed', () => {
  expect(stopsOf(delivery({ pickupPlace: { text: '' }, dropoffPlace: undefined }))).toEqual([])
})
