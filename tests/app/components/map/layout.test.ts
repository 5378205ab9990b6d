import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MapContent } from '#app/components/map/content.ts'
import {
  focusOf,
  type Layout,
  layoutOf,
  projectionOf,
  type Size,
} from '#app/components/map/layout.ts'
import { mapText } from '#app/components/map/map-text.ts'
import { defaultPlaces } from '#domain/zones/default-places.ts'
import { distancesOf } from '#domain/zones/roads.ts'
import { routeOver } from '#domain/zones/route.ts'

/* Where the shapes of a map stand, and the sentence that says the same. */

const zones = defaultPlaces()
const distance = distancesOf(zones)
const sizes: Size[] = [
  ...[280, 320, 360, 700].map((width) => ({ width, height: Math.min(352, width / 1.4) })),
  { width: 288, height: 216, text: 1.6 },
]
const phone = { width: 256, height: 192 }

const laidOut = (content: Partial<MapContent>, size: Size = phone) => {
  const all = { zones, ...content }
  return layoutOf(all, distance, projectionOf(focusOf(all, distance), size), size)
}
/** A name is at least so wide. */
const edgesOf = ({ name, x, anchor }: Layout['names'][number], text = 1) => {
  const width = 5 * name.length * text
  const left = { start: x, middle: x - width / 2, end: x - width }[anchor]
  return { left, right: left + width }
}
const named = ({ names }: Layout) => names.map(({ name }) => name)

describe('R165: the map', () => {
  test.each(sizes)('has no two names over each other, at $width px', (size) => {
    const { text = 1 } = size
    const layouts = [laidOut({}, size), laidOut({ way: ['Adenta', 'Accra Central'] }, size)]
    for (const { names } of layouts) {
      expect(names.length).toBeGreaterThan(3)
      for (const [index, one] of names.entries())
        for (const other of names.slice(index + 1)) {
          const apart =
            Math.abs(one.y - other.y) >= 11 * text ||
            edgesOf(one, text).right <= edgesOf(other, text).left ||
            edgesOf(other, text).right <= edgesOf(one, text).left
          expect(apart, `${one.name} and ${other.name}`).toBe(true)
        }
      for (const name of names) {
        expect(edgesOf(name, text).left).toBeGreaterThanOrEqual(0)
        expect(edgesOf(name, text).right).toBeLessThanOrEqual(size.width)
        expect(name.y).toBeLessThanOrEqual(size.height)
      }
    }
  })

  test('names the ends of a job and of the way before any other', () => {
    const jobs = [{ from: 'Roman Ridge', to: 'Dzorwulu' }]
    expect(named(laidOut({ jobs }))).toEqual(expect.arrayContaining(['Roman Ridge', 'Dzorwulu']))
    const way = ['Tesano', 'Tema']
    expect(named(laidOut({ way }))).toEqual(expect.arrayContaining(way))
  })

  test('names a door before a zone that is only near it', () => {
    const pins = [
      { lat: 5.572, lng: -0.182, label: 'Pickup' },
      { lat: 5.552, lng: -0.192, label: 'Drop-off' },
    ]
    const way = ['East Legon', 'Accra Central']
    const names = [...way, 'Pickup', 'Drop-off']
    expect(named(laidOut({ way, pins }))).toEqual(expect.arrayContaining(names))
  })

  test('has north up and east to the right, and what it is about inside', () => {
    const { dots } = laidOut({ way: ['Adenta', 'Accra Central'] })
    const at = (name: string) => dots.find((dot) => dot.name === name)
    const [adenta, central] = [at('Adenta'), at('Accra Central')]
    expect(adenta?.y).toBeLessThan(central?.y ?? 0)
    expect(adenta?.x).toBeGreaterThan(central?.x ?? 0)
    for (const dot of [adenta, central]) {
      expect(dot?.x).toBeGreaterThan(0)
      expect(dot?.x).toBeLessThan(phone.width)
      expect(dot?.y).toBeGreaterThan(0)
      expect(dot?.y).toBeLessThan(phone.height)
    }
  })

  test('numbers jobs of one route together, and draws there and back apart', () => {
    const jobs = [
      { from: 'Osu', to: 'Madina' },
      { from: 'Madina', to: 'Osu' },
      { from: 'Osu', to: 'Madina' },
      { from: 'Osu', to: 'Nowhere' },
    ]
    const { arrows, badges } = laidOut({ jobs })
    expect(badges.map(({ text }) => text)).toEqual(['1, 3', '2'])
    expect(arrows).toHaveLength(2)
    const [there, back] = badges
    expect(
      Math.hypot((there?.x ?? 0) - (back?.x ?? 0), (there?.y ?? 0) - (back?.y ?? 0)),
    ).toBeGreaterThan(15)
    const many = [
      ...jobs,
      ['Legon Campus', 'Circle'],
      ['Adenta', 'Labone'],
      ['Madina', 'Circle'],
    ].map((job) => (Array.isArray(job) ? { from: job[0] ?? '', to: job[1] ?? '' } : job))
    const crowded = laidOut({ jobs: many, way: ['Adenta', 'Accra Central'] }).badges
    for (const [index, one] of crowded.entries())
      for (const other of crowded.slice(index + 1))
        expect(Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y))).toBeGreaterThan(14)
    expect(laidOut({ jobs: [{ from: 'Osu', to: 'Tema', label: '' }] }).badges).toEqual([])
  })

  test('gives the position of a tap to about a metre of the map', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 5.5, max: 5.7, noNaN: true }),
        fc.double({ min: -0.3, max: 0, noNaN: true }),
        (lat, lng) => {
          const { toPoint, toPosition } = projectionOf(focusOf({ zones }, distance), phone)
          const found = toPosition(toPoint({ lat, lng }))
          expect(found.lat).toBeCloseTo(lat, 4)
          expect(found.lng).toBeCloseTo(lng, 4)
        },
      ),
    )
  })

  test('has room for one zone alone, and shows no shore of another city', () => {
    const kumasi = [{ Name: 'Kumasi', lat: 6.69, lng: -1.62 }]
    const { dots, sea } = layoutOf({ zones: kumasi }, distance, projectionOf(kumasi, phone), phone)
    expect(dots).toMatchObject([{ x: phone.width / 2, y: phone.height / 2 }])
    expect(sea).toBe('')
    expect(laidOut({}).sea).not.toBe('')
  })
})

test('R163: a way leads over the shortest roads, straight where there are none', () => {
  const route = routeOver(zones, distance, ['Adenta', 'Accra Central'])
  const km = route.reduce((sum, name, at) => sum + distance(route[at - 1] ?? name, name), 0)
  expect(km).toBeCloseTo(distance('Adenta', 'Accra Central'), 6)
  for (const [at, name] of route.slice(1).entries())
    expect(zones.find(({ Name }) => Name === route[at])?.roads?.map(({ to }) => to)).toContain(name)
  expect(
    routeOver(zones, distance, ['Osu', 'Tema', 'Osu']).filter((name) => name === 'Tema'),
  ).toHaveLength(1)
  const alone = [
    { Name: 'A', lat: 5, lng: 0 },
    { Name: 'B', lat: 6, lng: 0 },
  ]
  expect(routeOver(alone, distancesOf(alone), ['A', 'B'])).toEqual(['A', 'B'])
})

describe('the sentence of a map', () => {
  const said = (content: Partial<MapContent>) => mapText({ zones, ...content }, distance)
  test('says the way and how long it is, the jobs and the pins', () => {
    expect(
      said({
        way: ['Madina', 'Legon Campus'],
        jobs: [{ from: 'Madina', to: 'Osu' }],
        pins: [{ lat: 5.6, lng: -0.2, label: 'Pickup' }],
      }),
    ).toBe('Map. Way from Madina to Legon Campus, about 3.5 km. Job 1: Madina to Osu. Pin: Pickup.')
    expect(said({ way: ['Adenta', 'Legon Campus'] })).toContain('over Madina, about 7 km')
    expect(said({ jobs: [{ from: 'Osu', to: 'Tema', label: '' }] })).toContain(
      'Delivery: Osu to Tema',
    )
  })
  test('says numbers, the greatest first, and what it is of when nothing is chosen', () => {
    const counts = new Map([
      ['Osu', 1],
      ['Tema', 3],
    ])
    expect(said({ counts, counted: 'jobs wait' })).toBe('Map. Jobs wait: Tema 3, Osu 1.')
    expect(said({})).toBe('Map. 18 zones and the roads between them.')
  })
})
