import { expect, test } from 'vitest'
import { defaultPlaces } from '#domain/zones/default-places.ts'
import { longerRoads } from '#domain/zones/longer-roads.ts'

test('R165: a road longer than the way over other zones is named once, with that way', () => {
  const way = [
    {
      Name: 'Accra Central',
      roads: [
        { to: 'Osu', km: 3.5 },
        { to: 'Tema', km: 31 },
      ],
    },
    {
      Name: 'Osu',
      roads: [
        { to: 'Accra Central', km: 3.5 },
        { to: 'Tema', km: 27 },
      ],
    },
    {
      Name: 'Tema',
      roads: [
        { to: 'Osu', km: 27 },
        { to: 'Accra Central', km: 31 },
      ],
    },
  ]
  expect(longerRoads(way)).toEqual([
    { from: 'Accra Central', to: 'Tema', extra: 0.5, over: ['Osu'] },
  ])
  expect(longerRoads(way.slice(0, 2))).toEqual([])
})

test('R165: each road of the default zones is on a shortest way', () => {
  expect(longerRoads(defaultPlaces())).toEqual([])
})
