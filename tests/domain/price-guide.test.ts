import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitOf, guideOf } from '#domain/price-guide.ts'
import type { Commute } from '#domain/users/commute.ts'
import { driversOnWay } from '#domain/users/way-drivers.ts'
import { distancesOf } from '#domain/zones/roads.ts'

const offers = (prices: number[], senders = prices.length) =>
  prices.map((offer, at) => ({ offer, sender: `${at % senders}` }))

describe('R168: what a way usually costs', () => {
  test('is the median and the middle half of at least five offers of three senders', () => {
    expect(guideOf(offers([60, 20, 30, 25, 40]))).toEqual({
      median: 30,
      low: 25,
      high: 40,
      count: 5,
    })
    expect(guideOf(offers([20, 25, 30, 35, 40, 45]))?.median).toBe(32.5)
    expect(guideOf(offers([20, 25, 30, 35]))).toBeUndefined()
    expect(guideOf(offers([20, 25, 30, 35, 40], 2))).toBeUndefined()
  })

  test('follows the kilometres from thirty jobs on: 5 cedis and 2 for each', () => {
    const jobs = Array.from({ length: 30 }, (_, at) => ({
      sender: `${at % 3}`,
      km: at,
      offer: 5 + 2 * at,
    }))
    expect(fitOf(jobs, 1)?.(100)).toEqual({ median: 205, low: 205, high: 205, count: 30 })
    expect(fitOf(jobs.slice(1), 1)).toBeUndefined()
    expect(
      fitOf(
        jobs.map((job) => ({ ...job, sender: 'one' })),
        1,
      ),
    ).toBeUndefined()
    expect(
      fitOf(
        jobs.map((job) => ({ ...job, km: 7 })),
        1,
      ),
    ).toBeUndefined()
    // Far from what was seen it falls below the least offer.
    const falling = jobs.map((job) => ({ ...job, offer: 100 - job.km }))
    expect(fitOf(falling, 3)?.(500)).toEqual({ median: 3, low: 3, high: 3, count: 30 })
  })

  test('lies in order, and within what was offered', () => {
    const price = fc.double({ min: 1, max: 1_000, noNaN: true })
    fc.assert(
      fc.property(fc.array(price, { minLength: 5, maxLength: 60 }), (prices) => {
        const { low = 0, median = 0, high = 0 } = guideOf(offers(prices)) ?? {}
        expect(low).toBeLessThanOrEqual(median)
        expect(median).toBeLessThanOrEqual(high)
        expect(low).toBeGreaterThanOrEqual(Math.min(...prices) - 0.25)
        expect(high).toBeLessThanOrEqual(Math.max(...prices) + 0.25)
        const fit = fitOf(
          prices.map((offer, at) => ({ offer, km: at % 9, sender: `${at}` })),
          1,
        )?.(4)
        if (fit) expect(fit.low <= fit.median && fit.median <= fit.high).toBe(true)
      }),
    )
  })
})

test('R170: drivers are counted on whose way a route lies at that time, rounded down to threes', () => {
  const road = (to: string, km: number) => ({ to, km })
  const distance = distancesOf([
    { Name: 'Adenta', roads: [road('Madina', 5)] },
    { Name: 'Madina', roads: [road('Osu', 10)] },
    { Name: 'Osu', roads: [road('Tema', 25)] },
    { Name: 'Tema' },
  ])
  const commute = (more: Partial<Commute> = {}): Commute[] => [
    { from: 'Adenta', to: 'Osu', days: [1], notify: false, leaves: '07:00', ...more },
  ]
  const count = (drivers: Commute[][], from = 'Madina', to = 'Osu') =>
    driversOnWay(distance, drivers, { from, to })
  const many = (n: number, of = commute()) => Array.from({ length: n }, () => of)
  expect(count(many(2))).toEqual({ morning: 0, evening: 0 })
  expect(count(many(3))).toEqual({ morning: 3, evening: 0 })
  expect(count(many(14))).toEqual({ morning: 12, evening: 0 })
  expect(count(many(3), 'Osu', 'Madina')).toEqual({ morning: 0, evening: 0 })
  expect(count(many(3), 'Osu', 'Tema')).toEqual({ morning: 0, evening: 0 })
  const back = commute({ leaves: undefined, returns: '17:30' })
  expect(count(many(4, back), 'Osu', 'Madina')).toEqual({ morning: 0, evening: 3 })
  expect(count(many(9, commute({ leaves: '13:00' })))).toEqual({ morning: 0, evening: 0 })
  expect(count(many(9, commute({ from: '*' })))).toEqual({ morning: 0, evening: 0 })
  // Two commutes of one driver are one driver.
  expect(count(many(3, [...commute(), ...commute()]))).toEqual({ morning: 3, evening: 0 })
})
