import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { defaultPlaces } from '#domain/zones/default-places.ts'
import { detourOf, routesOnWay, shownDetour } from '#domain/zones/on-the-way.ts'
import { distancesOf, type ZonePlace } from '#domain/zones/roads.ts'

describe('with the default zones', () => {
  const zones = defaultPlaces()
  const distance = distancesOf(zones)
  const onWay = (from: string, to: string) => routesOnWay(distance, zones, { from, to })

  test('R163: each has its centre, and the roads are in the file with their lengths', () => {
    expect(zones).toHaveLength(18)
    expect(zones.filter(({ lat, lng }) => lat === undefined || lng === undefined)).toEqual([])
    expect(zones.flatMap(({ roads = [] }) => roads)).toHaveLength(2 * 47)
    expect(distance('Madina', 'Adenta')).toBe(3.5)
    expect(distance('Adenta', 'Accra Central')).toBe(19.5)
  })

  test('R164: 56 of 306 routes are on the way from Adenta to Accra Central, its own with no detour', () => {
    const found = onWay('Adenta', 'Accra Central')
    expect(found).toHaveLength(56)
    expect(found).toContainEqual({ pickup: 'Adenta', dropoff: 'Accra Central', km: 0 })
    expect(found.map(({ km }) => km)).toEqual(found.map(({ km }) => km).sort((a, b) => a - b))
  })

  test('R164: a commute has 16.9 routes on its way on average', () => {
    const ways = zones.flatMap(({ Name: from }) =>
      zones.filter(({ Name }) => Name !== from).map(({ Name: to }) => onWay(from, to).length),
    )
    expect(ways).toHaveLength(306)
    expect(ways.reduce((sum, count) => sum + count, 0) / ways.length).toBeCloseTo(16.9, 1)
  })

  test('R164: the driver may choose how far they would go further', () => {
    const way = { from: 'Madina', to: 'Circle' }
    const job = ['Legon Campus', 'Tesano'] as const
    const least = detourOf(distance, { ...way, detour: 10 }, ...job) ?? Number.NaN
    expect(detourOf(distance, { ...way, detour: least }, ...job)).toBe(least)
    expect(detourOf(distance, { ...way, detour: least - 0.1 }, ...job)).toBeUndefined()
    expect(detourOf(distance, { ...way, detour: 0 }, 'Madina', 'Circle')).toBe(0)
    expect(shownDetour(2.45)).toBe(2.5)
  })
})

const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
const degrees = (from: number) =>
  fc
    .option(fc.integer({ min: 0, max: 300 }), { nil: undefined })
    .map((thousandths) => (thousandths === undefined ? undefined : from + thousandths / 1000))
const anyZones: fc.Arbitrary<ZonePlace[]> = fc
  .array(
    fc.record({
      lat: degrees(5.5),
      lng: degrees(-0.3),
      roads: fc.array(
        fc.record({
          to: fc.constantFrom(...names, 'gone'),
          km: fc.integer({ min: 1, max: 300 }).map((tenths) => tenths / 10),
        }),
        { maxLength: 3 },
      ),
    }),
    { minLength: 2, maxLength: names.length },
  )
  .map((zones) => zones.map((zone, at) => ({ Name: names[at] ?? '', ...zone })))

/** Every pair's shortest way by Floyd and Warshall. */
function bruteForce(zones: readonly ZonePlace[]): number[][] {
  const at = new Map(zones.map(({ Name }, index) => [Name, index]))
  const km = zones.map((_, one) => zones.map((_, other) => (one === other ? 0 : Infinity)))
  const set = (one: number, other: number, length: number) => {
    const row = km[one]
    if (row && length < (row[other] ?? 0)) row[other] = length
  }
  const get = (one: number, other: number) => km[one]?.[other] ?? Number.NaN
  zones.forEach(({ roads = [] }, one) => {
    for (const road of roads) {
      const other = at.get(road.to)
      if (other === undefined) continue
      set(one, other, road.km)
      set(other, one, road.km)
    }
  })
  for (const [via] of zones.entries())
    for (const [one] of zones.entries())
      for (const [other] of zones.entries()) set(one, other, get(one, via) + get(via, other))
  return zones.map((from, one) =>
    zones.map((to, other) =>
      Math.min(get(one, other), get(one, other) < Infinity ? Infinity : straight(from, to)),
    ),
  )
}

function straight(from: ZonePlace, to: ZonePlace): number {
  if (from.lat === undefined || from.lng === undefined) return Infinity
  if (to.lat === undefined || to.lng === undefined) return Infinity
  // Over a city the earth is flat.
  const narrow = Math.cos((((from.lat + to.lat) / 2) * Math.PI) / 180)
  return 1.3 * 111.32 * Math.sqrt((from.lat - to.lat) ** 2 + ((from.lng - to.lng) * narrow) ** 2)
}

const isClose = (one: number | undefined, other: number | undefined) =>
  one === other || Math.abs((one ?? Number.NaN) - (other ?? Number.NaN)) < 1e-6

describe('over random roads', () => {
  test('R163: distances are those of brute force', () => {
    fc.assert(
      fc.property(anyZones, (zones) => {
        const distance = distancesOf(zones)
        bruteForce(zones).forEach((row, one) => {
          row.forEach((km, other) => {
            expect(distance(names[one] ?? '', names[other] ?? '')).toBeCloseTo(km, 6)
          })
        })
      }),
    )
  })

  test('R164: what is on a way, and its detour, are those of brute force', () => {
    fc.assert(
      fc.property(
        anyZones,
        fc.option(fc.integer({ min: 0, max: 10 }), { nil: undefined }),
        (zones, detour) => {
          const distance = distancesOf(zones)
          const all = bruteForce(zones)
          const km = (one: number, other: number) => all[one]?.[other] ?? Number.NaN
          const faults: object[] = []
          const pairs = zones.flatMap((_, one) => zones.map((_, other) => [one, other] as const))
          for (const [a, b] of pairs.filter(([one, other]) => one !== other))
            for (const [p, d] of pairs.filter(([one, other]) => one !== other)) {
              const [from, to, pickup, dropoff] = [a, b, p, d].map((at) => names[at] ?? '')
              const more = km(a, p) + km(p, d) + km(d, b) - km(a, b)
              const most = detour ?? Math.max(2, 0.25 * km(a, b))
              const isOwn = a === p && b === d
              const isOn = km(a, b) < Infinity && more <= most + 1e-9
              const expected = isOwn ? 0 : isOn ? Math.max(0, more) : undefined
              const found = detourOf(
                distance,
                { from: from ?? '', to: to ?? '', detour },
                pickup ?? '',
                dropoff ?? '',
              )
              if (!isClose(found, expected))
                faults.push({ from, to, pickup, dropoff, found, expected })
            }
          expect(faults).toEqual([])
        },
      ),
      { numRuns: 30 },
    )
  })

  test('R164: a zone without centre and roads matches itself only, and an unknown one nothing', () => {
    const zones = [{ Name: 'A' }, { Name: 'B' }, { Name: 'C', lat: 5.6, lng: -0.2 }]
    const distance = distancesOf(zones)
    expect(routesOnWay(distance, zones, { from: 'A', to: 'B' })).toEqual([
      { pickup: 'A', dropoff: 'B', km: 0 },
    ])
    expect(detourOf(distance, { from: 'A', to: 'B', detour: 10 }, 'gone', 'B')).toBeUndefined()
  })

  test('R163: all distances of 200 zones look at a zone at most 100,000 times', () => {
    // A grid of 20 × 10 zones with roads of uneven length to the right and below.
    const zones: ZonePlace[] = Array.from({ length: 200 }, (_, at) => ({
      Name: `Z${at}`,
      roads: [at + 1, at + 20]
        .filter((to) => to < 200 && (to !== at + 1 || to % 20 !== 0))
        .map((to) => ({ to: `Z${to}`, km: 1 + ((at * 7 + to * 13) % 11) / 2 })),
    }))
    const distance = distancesOf(zones)
    const looks = vi.spyOn(Set.prototype, 'delete')
    for (const from of zones) for (const to of zones) distance(from.Name, to.Name)
    const count = looks.mock.calls.length
    looks.mockRestore()
    expect(count).toBeGreaterThanOrEqual(200 * 200)
    expect(count).toBeLessThan(100_000)
  })
})
