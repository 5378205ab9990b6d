import { expect, test } from 'vitest'
import { licenceText, licenceWarning } from '#app/texts/licence-texts.ts'

const now = '2026-11-21T23:30:00.000Z'
const until = (expires: string) => ({ number: 'GC-1', expires })

test.each([
  ['2026-12-22', undefined],
  ['2026-12-21', 'Your courier licence ends in 30 days'],
  ['2026-11-22', 'Your courier licence ends tomorrow'],
  ['2026-11-21', 'Your courier licence ends today'],
  ['2026-11-20', 'Your courier licence expired on 20 Nov 2026'],
])('R114: a licence valid until %s warns: %s', (expires, title) => {
  expect(licenceWarning(until(expires), now)?.title).toBe(title)
})

test('R114: without a licence there is nothing to warn of', () => {
  expect(licenceWarning(undefined, now)).toBeUndefined()
})

test('R114: a new licence on this phone ends the reminder, but an expired one counts until it is sent', () => {
  const next = until('2027-11-21')
  expect(licenceWarning(until('2026-12-01'), now, next)).toBeUndefined()
  expect(licenceWarning(until('2026-11-01'), now, next)?.text).toBe(
    'You cannot accept jobs until your new one is sent.',
  )
  expect(licenceWarning(until('2026-11-01'), now, until('2026-11-02'))?.text).toBe(
    'You cannot accept jobs until you enter the new one.',
  )
})

test('R139: an expired licence counts until the new one is checked, and the driver reads so', () => {
  const pending = until('2027-11-21')
  expect(licenceWarning(until('2026-11-01'), now, undefined, pending)?.text).toBe(
    'You cannot accept jobs until your new one is checked.',
  )
  expect(licenceWarning(until('2026-12-01'), now, undefined, pending)?.text).toBe(
    'You cannot accept jobs after 1 Dec 2026 until your new one is checked.',
  )
})

test('R114: the last day counts, in Ghana’s calendar', () => {
  expect(licenceText(until('2026-11-21'), now)).toBe('GC-1, valid until 21 Nov 2026')
  expect(licenceText(until('2026-11-20'), now)).toBe('GC-1, expired 20 Nov 2026')
})
