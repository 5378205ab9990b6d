import { expect, test } from 'vitest'
import { networkOf } from '#domain/mobile-money/networks.ts'
import {
  nextPayoutAfter,
  payoutAt,
  pendingPayoutAt,
  withPayoutNumber,
} from '#domain/payouts/payout-numbers.ts'
import type { PayoutNumber } from '#domain/users/payout-number.ts'

const number = (phone: string, from = '2026-11-20T10:00:00.000Z'): PayoutNumber => ({
  phone,
  network: 'mtn',
  name: 'Yaw',
  from,
})
const at = '2026-11-21T10:00:00.000Z'
const time = Date.parse(at)
const day = 24 * 60 * 60 * 1000

test('R175: the network is proposed by the first three digits', () => {
  const of = (prefixes: string) =>
    new Set(prefixes.split(' ').map((prefix) => networkOf(`${prefix}1234567`)))
  expect([...of('024 025 053 054 055 059')]).toEqual(['mtn'])
  expect([...of('020 050')]).toEqual(['vod'])
  expect([...of('026 027 056 057')]).toEqual(['atl'])
  expect([...of('023 028 030 051 058')]).toEqual([undefined])
})

test('R175: the first number counts at once, a change 24 hours later, and the next in place of that', () => {
  const { from: _, ...first } = number('0241111111')
  expect(withPayoutNumber({}, first, at)).toEqual({ payout: { ...first, from: at } })
  const { from: __, ...second } = number('0242222222')
  const changed = withPayoutNumber({ payout: number('0241111111') }, second, at)
  expect(changed.nextPayout?.from).toBe('2026-11-22T10:00:00.000Z')
  const phonesAt = (when: number) =>
    [payoutAt(changed, when), nextPayoutAfter(changed, when)].map((each) => each?.phone)
  expect(phonesAt(time + day - 1)).toEqual(['0241111111', '0242222222'])
  expect(phonesAt(time + day)).toEqual(['0242222222', undefined])
  // A third one, confirmed before the second counts, and after.
  const third = { ...first, phone: '0243333333' }
  const later = new Date(time + day).toISOString()
  const phones = ({ payout, nextPayout }: ReturnType<typeof withPayoutNumber>) => [
    payout.phone,
    nextPayout?.phone,
  ]
  expect(phones(withPayoutNumber(changed, third, at))).toEqual(['0241111111', '0243333333'])
  expect(phones(withPayoutNumber(changed, third, later))).toEqual(['0242222222', '0243333333'])
})

test('R62, R175: a number waits for its code as long as the code lives', () => {
  const pendingPayout = number('0241111111', at)
  expect(pendingPayoutAt({ pendingPayout }, time + 599_999)).toBe(pendingPayout)
  expect(pendingPayoutAt({ pendingPayout }, time + 600_000)).toBeUndefined()
})
