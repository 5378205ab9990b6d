import { describe, expect, test } from 'vitest'
import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import type { OperationName } from '#operations/index.ts'
import { isEffectVisible } from '#store/entries/effect-visible.ts'
import type { Entry } from '#store/entries/operations.ts'

const acted = '2026-11-21T10:00:00.000Z'
const statuses = ['Pending', 'Accepted', 'Picked Up', 'Delivered', 'Approved', 'Cancelled'] as const

const entry = (op: OperationName, more: Partial<Entry> = {}) =>
  ({ op, account: 'kofi', lane: 'd1', occurredAt: acted, photos: [], input: {}, ...more }) as Entry

const row = (status: Status, more: Partial<Delivery> = {}) =>
  ({ ID: 'd1', status, driver: { id: 'kofi' }, updatedAt: acted, ...more }) as Delivery

const happenedIn = (op: OperationName, more: Partial<Delivery> = {}) =>
  statuses.filter((status) => isEffectVisible(entry(op), row(status, more), undefined))

describe('S75: whether a row shows what an entry asked for', () => {
  test.each<[OperationName, Status[]]>([
    ['acceptDelivery', ['Accepted', 'Picked Up', 'Delivered', 'Approved']],
    ['pickUpDelivery', ['Picked Up', 'Delivered', 'Approved']],
    ['completeDelivery', ['Delivered', 'Approved']],
    ['approveDelivery', ['Approved']],
    ['cancelDelivery', ['Cancelled']],
    ['reportIssue', []],
    ['createDelivery', []],
  ])('of %s: %j', (op, expected) => {
    expect(happenedIn(op)).toEqual(expected)
  })

  test('an acceptance is the driver’s own, not another’s', () => {
    expect(happenedIn('acceptDelivery', { driver: { id: 'yaw' } as never })).toEqual([])
    expect(happenedIn('acceptDelivery', { driver: undefined })).toEqual([])
  })

  test('a rating is of as many stars, not another that was given elsewhere', () => {
    const ratings = (stars: number) => ({ driver: { stars, at: acted } })
    const rated = (more: Partial<Delivery>) =>
      isEffectVisible(
        entry('rateDelivery', { input: { id: 'd1', stars: 1 } }),
        row('Approved', more),
        undefined,
      )
    expect(rated({ ratings: ratings(1) })).toBe(true)
    expect(rated({ ratings: ratings(5) })).toBe(false)
    expect(rated({})).toBe(false)
  })

  test('a proof is this photo, not another and not none', () => {
    const proof = (proofOfDelivery: string | undefined, url: string | undefined) =>
      isEffectVisible(entry('attachProof'), row('Delivered', { proofOfDelivery }), url)
    expect(proof('http://a', 'http://a')).toBe(true)
    expect(proof('http://b', 'http://a')).toBe(false)
    expect(proof(undefined, undefined)).toBe(false)
  })

  test('what the history has from that very moment has happened, whatever came later', () => {
    const with_ = (status: Status, occurredAt?: string) => ({
      history: [{ status, at: acted, occurredAt }] as Delivery['history'],
    })
    const accepted = (more: Partial<Delivery>) =>
      isEffectVisible(entry('acceptDelivery'), row('Pending', more), undefined)
    expect(accepted(with_('Accepted', acted))).toBe(true)
    expect(accepted(with_('Accepted', '2026-11-21T10:00:00Z'))).toBe(true)
    expect(accepted(with_('Accepted', '2026-11-21T09:59:59.999Z'))).toBe(false)
    expect(accepted(with_('Accepted'))).toBe(false)
    expect(accepted(with_('Picked Up', acted))).toBe(false)
  })
})
