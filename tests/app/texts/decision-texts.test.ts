import { describe, expect, test } from 'vitest'
import {
  bothShares,
  confirmText,
  decidedShares,
  decisionName,
  photoHash,
  readShare,
  sharesBy,
} from '#app/texts/decision-texts.ts'
import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import { openDecisions } from '#domain/deliveries/endings/decide.ts'
import { DecisionKind } from '#domain/deliveries/endings/incidents.ts'
import { deliveryOf } from '../../helpers/device/context.ts'

const driver = { id: 'kofi', name: 'Kofi Driver' }

test.each([
  ['0', 0],
  ['60', 60],
  [' 40.5 ', 40.5],
  ['40,25', 40.25],
  ['60.01', undefined],
  ['1.234', undefined],
  ['-1', undefined],
  ['1e1', undefined],
  ['', undefined],
  ['ten', undefined],
])('R107: of ₵60, "%s" is a driver’s part of %s', (typed, share) => {
  expect(readShare(typed, 60)).toBe(share)
})

test('R107: the two parts of a decision are the whole offer, to the pesewa', () => {
  expect(bothShares({ driver: 40, sender: 20 })).toBe('Driver ₵40.00 · Sender ₵20.00')
  expect(sharesBy(0.3, 'split', 0.1)).toEqual({ driver: 0.1, sender: 0.2 })
  expect(sharesBy(60, 'release')).toEqual({ driver: 60, sender: 0 })
  expect(sharesBy(60, 'refund')).toEqual({ driver: 0, sender: 60 })
  expect(sharesBy(60, 'none')).toBeUndefined()
  expect(sharesBy(60, 'split')).toBeUndefined()
  const decision = { kind: 'split' as const, reason: 'Both', driverShare: 15, at: '2026-11-21' }
  expect(decidedShares(deliveryOf('d', { offer: 60, decision }))).toEqual({
    driver: 15,
    sender: 45,
  })
})

describe('R107: an admin is offered what the rule allows', () => {
  test.each<[Status, boolean, string[]]>([
    ['Pending', false, ['refund', 'none']],
    ['Accepted', true, ['release', 'refund', 'split', 'none']],
    ['Picked Up', true, ['release', 'refund', 'split', 'none']],
    ['Delivered', true, ['release', 'refund', 'split', 'none']],
    ['Approved', true, ['none']],
    ['Cancelled', false, ['none']],
  ])('%s', (status, hasDriver, kinds) => {
    const delivery = deliveryOf('d', { status, driver: hasDriver ? driver : undefined })
    expect(openDecisions(delivery)).toEqual(kinds)
  })
})

test('R107: what will move is said before it is confirmed', () => {
  const direct = deliveryOf('d', { driver, senderName: 'Ama', sender: undefined })
  const view = { ...direct, payment: { status: 'held' } }
  expect(confirmText(view, 'split', { driver: 40, sender: 20 })).toContain(
    'Kofi Driver gets ₵40.00, Ama gets ₵20.00 back. The delivery becomes Cancelled.',
  )
  expect(confirmText(view, 'release', { driver: 60, sender: 0 })).toMatch(
    /^Kofi Driver gets ₵60.00\. The delivery becomes Approved\./,
  )
  expect(confirmText(view, 'none')).toMatch(/^No money moves\./)
  expect(confirmText(direct, 'split', { driver: 40, sender: 20 })).toContain(
    'Ama pays Kofi Driver ₵40.00. The delivery becomes Cancelled.',
  )
  expect(confirmText(direct, 'refund', { driver: 0, sender: 60 })).toMatch(
    /^Ama pays Kofi Driver nothing\./,
  )
  expect(confirmText(direct, 'none')).toMatch(/^Who owes what stays as it is\./)
  const names = (of: Delivery | undefined) =>
    DecisionKind.options.map((kind) => decisionName(kind, of))
  expect(names(view)).toEqual(names(undefined))
  expect(names(direct).join()).not.toMatch(/release|refund/i)
})

test('R107: a photo’s hash is read from its address, where it has one', () => {
  const hash = `${'ab12'.repeat(15)}cdef`
  expect(photoHash(`https://soma.example/api/images/${hash}.jpg?v=1`)).toBe('ab12ab12…cdef')
  expect(photoHash('https://res.example/image/upload/v1/photo.jpg')).toBeUndefined()
})
