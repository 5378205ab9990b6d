import { describe, expect, test } from 'vitest'
import type { Commute } from '#domain/users/commute.ts'
import {
  assertCommutes,
  commuteAt,
  commutesOf,
  everyDay,
  maxCommutes,
  nextTrip,
  routesOf,
  toldDepartures,
} from '#domain/users/commutes.ts'
import { defaultPlaces } from '#domain/zones/default-places.ts'
import { routesOnWay, waysOver } from '#domain/zones/on-the-way.ts'
import { distancesOf } from '#domain/zones/roads.ts'

/* The ways of a driver (R166). 2026-11-23 is a Monday. */

const adenta: Commute = {
  from: 'Adenta',
  to: 'Accra Central',
  days: [1, 2, 3, 4, 5],
  leaves: '07:00',
  returns: '17:30',
  notify: true,
}
const untimed: Commute = { from: 'Osu', to: 'Tema', days: [...everyDay], notify: true }
const there = { from: 'Adenta', to: 'Accra Central' }
const back = { from: 'Accra Central', to: 'Adenta' }
const monday = (time: string) => new Date(`2026-11-23T${time}Z`)
const saturday = (time: string) => new Date(`2026-11-28T${time}Z`)

describe('R166: the commute that fits the hour', () => {
  test.each([
    [monday('04:59'), undefined],
    [monday('05:00'), { ...there, until: '08:30' }],
    [monday('08:29'), { ...there, until: '08:30' }],
    [monday('08:30'), undefined],
    [monday('15:30'), { ...back, until: '19:00' }],
    [monday('19:00'), undefined],
    [saturday('07:00'), undefined],
  ])('at %s', (time, expected) => {
    expect(commuteAt([adenta], time)).toEqual(expected)
  })

  test('of two that fit, the one nearer in time', () => {
    const school: Commute = { ...untimed, leaves: '08:00' }
    expect(commuteAt([adenta, school], monday('07:20'))?.from).toBe('Adenta')
    expect(commuteAt([adenta, school], monday('07:40'))?.from).toBe('Osu')
  })

  test('one that is left at midnight fits in the evening of the day before, and in the night', () => {
    const night: Commute = { ...adenta, days: [2], leaves: '00:30', returns: '23:30' }
    expect(commuteAt([night], monday('22:30'))).toEqual({ ...there, until: '02:00' })
    expect(commuteAt([night], new Date('2026-11-25T00:59Z'))).toEqual({ ...back, until: '01:00' })
    expect(commuteAt([night], monday('00:30'))).toBeUndefined()
  })

  test('else the first of the day without times; from or to any zone is no way', () => {
    const any: Commute = { ...untimed, from: '*' }
    const weekend: Commute = { ...untimed, to: 'Madina', days: [6, 7] }
    const all = [any, adenta, weekend, untimed]
    expect(commuteAt(all, monday('12:00'))).toEqual({ from: 'Osu', to: 'Tema' })
    expect(commuteAt(all, saturday('12:00'))).toEqual({ from: 'Osu', to: 'Madina' })
    expect(commuteAt([any, { ...any, leaves: '12:00' }], monday('12:00'))).toBeUndefined()
    expect(commuteAt([], monday('12:00'))).toBeUndefined()
  })

  test('the next one is the next that is left, across a weekend too', () => {
    expect(nextTrip([adenta], monday('07:00'))).toEqual({ ...back, at: '2026-11-23T17:30:00.000Z' })
    expect(nextTrip([adenta], saturday('07:00'))).toEqual({
      ...there,
      at: '2026-11-30T07:00:00.000Z',
    })
    expect(nextTrip([{ ...adenta, days: [1], returns: undefined }], monday('08:00'))?.at).toBe(
      '2026-11-30T07:00:00.000Z',
    )
    expect(nextTrip([untimed], monday('07:00'))).toBeUndefined()
  })
})

test('R167: drivers are told before trips of the next two hours, also beyond midnight', () => {
  expect(toldDepartures(monday('05:00'))).toEqual([{ day: 1, first: '05:00', last: '07:00' }])
  expect(toldDepartures(monday('23:10'))).toEqual([
    { day: 1, first: '23:10', last: '23:59' },
    { day: 2, first: '00:00', last: '01:10' },
  ])
})

test('R164, R167: the ways over a route are those that find it', () => {
  const zones = defaultPlaces()
  const distance = distancesOf(zones)
  const names = ({ from, to }: { from: string; to: string }) => `${from}|${to}`
  const expected = zones.flatMap(({ Name: from }) =>
    zones
      .filter(({ Name: to }) => from !== to)
      .map(({ Name: to }) => ({ from, to }))
      .filter((way) =>
        routesOnWay(distance, zones, way).some(
          ({ pickup, dropoff }) => pickup === 'Osu' && dropoff === 'Tema',
        ),
      ),
  )
  expect(expected.length).toBeGreaterThan(3)
  expect(waysOver(distance, zones, 'Osu', 'Tema').map(names)).toEqual(expected.map(names))
})

describe('R166: what a commute must be', () => {
  const zones = ['Adenta', 'Accra Central', 'Osu', 'Tema']
  const reason = (change: object, before: Commute[] = []) => {
    try {
      assertCommutes([{ ...adenta, ...change }], zones, before)
    } catch (error) {
      return (error as { reason: string }).reason
    }
    return undefined
  }

  test.each<[object, string | undefined]>([
    [{}, undefined],
    [{ from: '*' }, undefined],
    [{ from: '*', to: '*' }, undefined],
    [{ leaves: undefined, returns: undefined }, undefined],
    [{ leaves: '00:00', returns: '23:59' }, undefined],
    [{ to: 'Adenta' }, 'same-zones'],
    [{ to: 'Nowhere' }, 'unknown-zone'],
    [{ days: [] }, 'invalid'],
    [{ days: [0] }, 'invalid'],
    [{ days: [8] }, 'invalid'],
    [{ days: [1.5] }, 'invalid'],
    [{ days: [1, 1] }, 'invalid'],
    [{ leaves: '7:00' }, 'invalid'],
    [{ leaves: '24:00' }, 'invalid'],
    [{ returns: '12:60' }, 'invalid'],
    [{ returns: '' }, 'invalid'],
  ])('%o is refused with %s', (change, expected) => {
    expect(reason(change)).toBe(expected)
  })

  test('five at most, and a zone that has left the list may stay where it was', () => {
    const many = (count: number) => () => assertCommutes(Array(count).fill(adenta), zones)
    expect(many(maxCommutes)).not.toThrow()
    expect(many(maxCommutes + 1)).toThrow('Keep at most 5 commutes.')
    const gone = { ...adenta, from: 'Gone' }
    expect(reason(gone, [gone])).toBeUndefined()
  })
})

test('R166: routes of the version before and commutes stand for each other', () => {
  const routes = ['a', 'b', 'c', 'd', 'e', 'f'].map((from) => ({ from, to: '*' }))
  expect(commutesOf(routes)).toHaveLength(maxCommutes)
  expect(routesOf(commutesOf(routes))).toEqual(routes.slice(0, maxCommutes))
  const evening = { ...adenta, from: 'Osu', leaves: undefined }
  const quiet = { ...untimed, notify: false }
  expect(routesOf([adenta, evening, quiet])).toEqual([
    there,
    back,
    { from: 'Accra Central', to: 'Osu' },
  ])
})
