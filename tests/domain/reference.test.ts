import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idEndOf, referenceOf } from '#domain/deliveries/reference.ts'

test('R98: a reference is SOMA- and four signs that are not confused when read aloud', () => {
  expect(referenceOf('0199a0b2-5d3e-7c11-9a53-3f2b1e4a3de6')).toBe('SOMA-MFF6')
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(referenceOf(id)).toMatch(/^SOMA-[0-9A-HJKMNP-TV-Z]{4}$/)
    }),
  )
})

test('R98: a reference, however it is typed, finds the IDs that have it and no others', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (id, other) => {
      const end = idEndOf(` ${referenceOf(id).toLowerCase().replace('-', ' ')} `) ?? '?'
      expect(id.endsWith(end)).toBe(true)
      expect(other.endsWith(end)).toBe(referenceOf(other) === referenceOf(id))
    }),
  )
  expect(idEndOf('soma-O1Il')).toBe(idEndOf('SOMA-0111'))
  expect(idEndOf('Soma 00zz')).toBe('003ff')
})

test.each(['7F3K', 'SOMA-7F3', 'SOMA-7F3KX', 'SOMA-7F3U', 'a SOMA-7F3K', ''])(
  'R98: "%s" is no reference',
  (typed) => expect(idEndOf(typed)).toBeUndefined(),
)

test('R98: an ID that is no UUID is given by its last four signs', () => {
  expect(referenceOf('delivery-12')).toBe('SOMA-Y-12')
  expect(referenceOf('12')).toBe('SOMA-12')
})
