import { describe, expect, test } from 'vitest'
import type { Actor, Delivery } from '#domain/deliveries/delivery.ts'
import type { OperationName } from '#operations/index.ts'
import { createdRow, projectRow } from '#store/deliveries/project.ts'
import { serverRow } from '#store/deliveries/row-schema.ts'
import type { Entry } from '#store/entries/operations.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { entryVersion } from '#sync/database/entry.ts'
import { entryOf } from '#sync/outbox/enqueue.ts'
import { deliveryOf } from '../../helpers/device/context.ts'
import { person } from '../../helpers/device/device.ts'
import { present } from '../../helpers/present.ts'

const kofi = person('kofi', 'driver', { driverStatus: 'approved' })
const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
const asDriver: Actor = { user: kofi }
const [t1, t2] = ['2026-11-21T10:00:00.000Z', '2026-11-21T11:00:00.000Z']

const entry = (op: OperationName, more: Partial<Entry> = {}): Entry =>
  ({
    ...entryOf({
      id: `of ${op}`,
      account: 'kofi',
      op,
      lane: 'd1',
      input: { id: 'd1' },
      title: 'Laptop',
      occurredAt: t2,
    } as never),
    seq: 1,
    ...more,
  }) as Entry

const onOffer = (more: Partial<Delivery> = {}) => deliveryOf('d1', { sender: ama, ...more })
const accepted = (more: Partial<Delivery> = {}) =>
  onOffer({ status: 'Accepted', driver: { id: 'kofi', name: 'Kofi', phone: '' }, ...more } as never)

const project = (
  old: DeliveryRow | undefined,
  fromServer: Delivery | undefined,
  entries: Entry[] = [],
  times = {},
) => projectRow('kofi', old, fromServer, entries, asDriver, times)
const rowOf = (delivery: Delivery, entries: Entry[] = [], times = {}) => {
  const row = present(project(undefined, delivery, entries, times))
  return row
}

describe('S6: a row is the server’s with what is pending over it', () => {
  test('each pending act shows at once, over what the server said', () => {
    const row = rowOf(onOffer(), [entry('acceptDelivery'), entry('pickUpDelivery', { seq: 2 })])
    expect(row.view.status).toBe('Picked Up')
    expect(row.server?.status).toBe('Pending')
    expect(serverRow(row)?.status).toBe('Pending')
    expect(row.active).toBe('job')
    expect(row.marks.map(({ op }) => op)).toEqual(['acceptDelivery', 'pickUpDelivery'])
  })

  test.each([
    ['waiting', 'Accepted', 'waiting'],
    ['sending', 'Accepted', 'waiting'],
    ['retrying', 'Accepted', 'retrying'],
    ['parked', 'Accepted', 'parked'],
    ['refused', 'Pending', 'refused'],
  ] as const)('one that is %s shows %s, marked as %s', (state, status, mark) => {
    const row = rowOf(onOffer(), [entry('acceptDelivery', { state })])
    expect(row.view.status).toBe(status)
    expect(row.marks).toMatchObject([{ op: 'acceptDelivery', state: mark }])
  })

  test('S57: an act of a newer version changes nothing here, and is marked', () => {
    const row = rowOf(onOffer(), [entry('acceptDelivery', { v: entryVersion + 1 })])
    expect(row.view.status).toBe('Pending')
    expect(row.marks).toHaveLength(1)
  })

  test('an act that the rules no longer allow changes nothing', () => {
    expect(rowOf(onOffer({ status: 'Cancelled' }), [entry('acceptDelivery')]).view.status).toBe(
      'Cancelled',
    )
  })

  test('without anything pending the view is the server’s, stored once', () => {
    const row = rowOf(accepted())
    expect(row.server).toBeUndefined()
    expect(serverRow(row)).toEqual(row.view)
  })
})

describe('S5: which lists a row is in', () => {
  const lists = ({ openAt, jobAt, sentAt, adminAt, active }: DeliveryRow) => ({
    openAt,
    jobAt,
    sentAt,
    adminAt,
    active,
  })
  const as = (actor: Actor | undefined, delivery: Delivery) =>
    Object.entries(lists(projectRow('x', undefined, delivery, [], actor) as DeliveryRow))
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name)

  test.each<[string, Actor | undefined, Delivery, string[]]>([
    ['on offer, a driver’s', asDriver, onOffer(), ['openAt']],
    ['another’s job, a driver’s', asDriver, onOffer({ status: 'Accepted' }), []],
    ['a job of theirs', asDriver, accepted(), ['jobAt', 'active']],
    ['a past job', asDriver, accepted({ status: 'Approved' }), ['jobAt']],
    ['sent by them', { user: person('ama', 'sender') }, onOffer(), ['sentAt', 'active']],
    [
      'sent and over',
      { user: person('ama', 'sender') },
      onOffer({ status: 'Cancelled' }),
      ['sentAt'],
    ],
    ['an admin’s', { user: person('boss', 'admin') }, onOffer(), ['adminAt']],
    ['nobody’s', undefined, onOffer(), []],
  ])('%s', (_, actor, delivery, expected) => {
    expect(as(actor, delivery).sort()).toEqual([...expected].sort())
  })
})

describe('S20: of two answers the newer counts', () => {
  const newer = onOffer({ updatedAt: t2, status: 'Cancelled' })
  const older = onOffer({ updatedAt: t1 })

  test('an older one that comes late changes nothing, a newer one does', () => {
    expect(project(rowOf(newer), older)?.view.status).toBe('Cancelled')
    expect(project(rowOf(older), newer)?.view.status).toBe('Cancelled')
    expect(project(rowOf(older), { ...older, offer: 90 })?.view.offer).toBe(90)
  })

  const askedAt = (time: number) =>
    project(rowOf(newer, [], { serverAt: 100 }), older, [], { askedAt: time, serverAt: 200 })?.view
      .status

  test('S78: what another answer brought since a full one was asked for stays', () => {
    expect(askedAt(50)).toBe('Cancelled')
  })

  test('S53: a full answer replaces what the phone held when it was asked for', () => {
    expect(askedAt(150)).toBe('Pending')
    // Noted by a page whose clock was ahead.
    expect(
      project(rowOf(newer, [], { serverAt: 900 }), older, [], { askedAt: 150, serverAt: 200 })?.view
        .status,
    ).toBe('Pending')
  })
})

test('S5: a request that the server does not know is a row of its own, until it is refused', () => {
  const input = { itemDescription: 'Laptop', pickupZone: 'Osu', dropoffZone: 'Tema', photo: 'p1' }
  const request = entry('createDelivery', { account: 'ama', input } as never)
  const sender = person('ama', 'sender')
  const row = createdRow(request, sender)
  expect(row).toMatchObject({ known: false, active: 'delivery', photo: 'p1', sentAt: t2 })
  expect(serverRow(row)).toBeUndefined()
  const refused = projectRow('ama', row, undefined, [{ ...request, state: 'refused' }], {
    user: sender,
  })
  expect(refused?.active).toBeUndefined()
  expect(projectRow('ama', row, undefined, [], { user: sender })).toBeUndefined()
})
