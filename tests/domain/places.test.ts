import { describe, expect, test } from 'vitest'
import { emptyDraft, hasContent, validateDraft } from '#domain/deliveries/draft.ts'
import { farFrom } from '#domain/deliveries/places/far-from-zone.ts'
import { maxPlaceText, placeOf, type TypedPlace } from '#domain/deliveries/places/place.ts'
import { defaultPlaces } from '#domain/zones/default-places.ts'

const long = 'x'.repeat(maxPlaceText + 1)

describe('R112: a place as it is typed', () => {
  test.each<[TypedPlace | undefined, object | undefined]>([
    [undefined, undefined],
    [{}, undefined],
    [{ text: '  ', note: '' }, undefined],
    [{ text: ' GA-183-8164 ' }, { text: 'GA-183-8164' }],
    [{ note: 'Call first', text: '' }, { note: 'Call first' }],
    [
      { lat: 5.5, lng: -0.1, accuracy: 12 },
      { lat: 5.5, lng: -0.1 },
    ],
    [{ lat: 5.5 }, undefined],
    [
      { lat: 5.556_014_9, lng: -0.184_446_1, accuracy: 12 },
      { lat: 5.55601, lng: -0.18445 },
    ],
  ])('%j is sent as %j', (typed, sent) => {
    expect(placeOf(typed)).toEqual(sent)
    expect(hasContent({ ...emptyDraft, pickupPlace: typed })).toBe(sent !== undefined)
  })

  test.each(['pickup', 'dropoff'] as const)(
    'a text that is too long is a problem of its own field (%s)',
    (side) => {
      for (const at of ['text', 'note'] as const) {
        const found = (typed: string) =>
          validateDraft({ ...emptyDraft, [`${side}Place`]: { [at]: typed } }, 'account')
            .map(({ field }) => field)
            .filter((field) => field.includes('Place'))
        expect(found(long)).toEqual([`${side}Place.${at}`])
        expect(found(`${long.slice(1)} `)).toEqual([])
      }
    },
  )

  test('a character that no database keeps is a problem too', () => {
    const problems = validateDraft({ ...emptyDraft, pickupPlace: { text: 'a\u0000b' } }, 'account')
    expect(problems.map(({ field }) => field)).toContain('pickupPlace.text')
  })
})

describe('R112: a pin and its zone', () => {
  const centreOf = (zone: string) => defaultPlaces().find(({ Name }) => Name === zone)
  test.each([
    ['Osu', 5.554, -0.184, false],
    ['Osu', 5.643, -0.184, false],
    ['Osu', 5.645, -0.184, true],
    ['Osu', 6.69, -1.62, true],
    ['A zone that an admin added', 6.69, -1.62, false],
    ['', 6.69, -1.62, false],
  ])('of %s, %f, %f is far: %s', (zone, lat, lng, isFar) => {
    expect(farFrom({ lat, lng }, centreOf(zone)) !== undefined).toBe(isFar)
  })

  test('Kumasi is about 200 km from Osu', () => {
    const metres = farFrom({ lat: 6.69, lng: -1.62 }, centreOf('Osu')) ?? 0
    expect(Math.round(metres / 10_000)).toBe(20)
  })
})
