import { expect, test } from 'vitest'
import { changeOf, typedZone } from '#app/screens/admin/settings/typed-zone.ts'

const tema = { ID: 't', Name: 'Tema', lat: 5.645, lng: 0.002, roads: [{ to: 'Osu', km: 30 }] }
const osu = { ID: 'o', Name: 'Osu', roads: [{ to: 'Tema', km: 30 }] }
const zones = [tema, osu, { ID: 's', Name: 'Spintex' }]
const typed = typedZone(tema)

test('R165: what was not changed is not sent', () => {
  expect(changeOf(typed, tema, zones)).toEqual({ change: {}, problems: [] })
  expect(changeOf(typedZone(osu), osu, zones)).toEqual({ change: {}, problems: [] })
})

test('R165: a centre is read with a point or a comma, and the roads as a whole', () => {
  const roads = [...typed.roads, { to: 'Spintex', km: '15,5' }]
  expect(changeOf({ lat: ' 5,6 ', lng: '0.01', roads }, tema, zones)).toEqual({
    change: {
      lat: 5.6,
      lng: 0.01,
      roads: [
        { to: 'Osu', km: 30 },
        { to: 'Spintex', km: 15.5 },
      ],
    },
    problems: [],
  })
  expect(changeOf({ ...typed, roads: [] }, tema, zones).change).toEqual({ roads: [] })
  const gone = [...typed.roads, { to: 'Deleted meanwhile', km: '1' }]
  expect(changeOf({ ...typed, roads: gone }, tema, zones)).toEqual({ change: {}, problems: [] })
})

test.each([
  ['half a centre', { lat: '' }],
  ['a centre that is not on the map', { lat: '91' }],
  ['words', { lng: 'east' }],
  ['a road of nothing', { roads: [{ to: 'Osu', km: '0' }] }],
  ['a road without kilometres', { roads: [{ to: 'Osu', km: '' }] }],
  ['a road too long', { roads: [{ to: 'Osu', km: '500.5' }] }],
])('R165: %s is said', (_, more) => {
  expect(changeOf({ ...typed, ...more }, tema, zones).problems).toHaveLength(1)
})
