import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Actor,
  type Delivery,
  isActiveDelivery,
  type Status,
  timelineStatuses,
} from '#domain/deliveries/delivery.ts'
import { decide } from '#domain/deliveries/endings/decide.ts'
import { defaultEndingTerms } from '#domain/deliveries/endings/incidents.ts'
import {
  feeOf,
  holdOf,
  type Movement,
  paidToDriver,
  priceText,
  raiseOf,
  settlementOf,
} from '#domain/deliveries/payment.ts'
import { visibleFields } from '#domain/deliveries/permissions.ts'
import { approveByItself, isOverlooked } from '#domain/deliveries/transitions.ts'
import { Refusal } from '#domain/errors.ts'
import { shortPrice, toPesewas } from '#domain/money.ts'
import type { DeliveryOperation } from '#operations/index.ts'
import { can, predict } from '#operations/rules.ts'
import { person } from '../helpers/device/device.ts'

const people = {
  sender: person('ama', 'sender'),
  otherSender: person('efua', 'sender'),
  driver: person('kofi', 'driver', { driverStatus: 'approved' }),
  otherDriver: person('yaw', 'driver', { driverStatus: 'approved' }),
  pendingDriver: person('esi', 'driver', { driverStatus: 'pending' }),
  unverified: person('kwame', 'driver', { driverStatus: 'approved', Verified: false }),
  admin: person('admin', 'admin'),
}
const actors: Actor[] = [
  ...Object.values(people).map((user) => ({ user })),
  { guestOf: 'd1' },
  { guestOf: 'd2' },
]
const intents: DeliveryOperation[] = [
  { op: 'acceptDelivery' },
  { op: 'pickUpDelivery' },
  { op: 'completeDelivery' },
  { op: 'attachProof', photo: 'p1' },
  { op: 'approveDelivery' },
  { op: 'cancelDelivery' },
  { op: 'releaseJob', reason: 'Flat tyre' },
  { op: 'reportAttempt', reason: 'absent' },
  { op: 'startReturn' },
  { op: 'confirmReturn' },
  { op: 'rateDelivery', stars: 4 },
  { op: 'renewCode', newCodes: 0 },
  { op: 'contestPickUp', reason: 'Still here' },
  { op: 'raiseOffer', offer: 100_000 },
]
/** What changes a delivery and leaves its status as it is. */
const besides = [
  'attachProof',
  'reportAttempt',
  'startReturn',
  'rateDelivery',
  'renewCode',
  'contestPickUp',
  'raiseOffer',
]

const pending = (by: 'sender' | 'guest'): Delivery => ({
  ID: 'd1',
  status: 'Pending',
  itemDescription: 'Laptop',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  offer: 60,
  recipientName: 'Abena',
  recipientPhone: '0244123456',
  deliveryCode: '40917',
  isGuestDelivery: by === 'guest',
  senderName: by === 'guest' ? 'Guest' : undefined,
  senderPhone: by === 'guest' ? '0244999999' : undefined,
  sender: by === 'sender' ? { id: 'ama', name: 'ama', phone: '0244000000' } : undefined,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  history: [{ status: 'Pending', at: '2026-11-21T10:00:00.000Z' }],
})

const when = { at: '2026-11-21T11:00:00.000Z' }
/** Each act comes as long after the one before as the wait of a return is. */
const timeOf = (n: number) => ({
  at: new Date(Date.parse(when.at) + n * defaultEndingTerms.wait).toISOString(),
})

/** R23 to R27 written down a second time: who may take which step. */
const allowed = (from: Status, to: Status, actor: Actor, delivery: Delivery): boolean => {
  const user = 'user' in actor ? actor.user : undefined
  const sends = user
    ? delivery.sender?.id === user.ID
    : delivery.isGuestDelivery && 'guestOf' in actor && actor.guestOf === delivery.ID
  const drives = user !== undefined && delivery.driver?.id === user.ID
  const table: Record<string, boolean> = {
    'Pending>Accepted':
      user?.role === 'driver' && user.driverStatus === 'approved' && user.Verified,
    'Accepted>Picked Up': drives,
    'Accepted>Pending': drives,
    'Picked Up>Delivered': drives,
    'Delivered>Approved': sends,
    'Pending>Cancelled': sends || user?.role === 'admin',
    'Accepted>Cancelled': sends || user?.role === 'admin',
    'Picked Up>Cancelled': user?.role === 'admin' || (sends && delivery.returning !== undefined),
  }
  return table[`${from}>${to}`] ?? false
}

const act = fc.record({ actor: fc.constantFrom(...actors), intent: fc.constantFrom(...intents) })

describe('a delivery', () => {
  test('R23: any sequence of actions by anybody reaches only the states the rules allow', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('sender' as const, 'guest' as const),
        fc.array(act, { maxLength: 30 }),
        (by, acts) => {
          let delivery = pending(by)
          for (const [n, { actor, intent }] of acts.entries()) {
            const before = delivery
            try {
              delivery = predict(before, intent, actor, timeOf(n))
            } catch (error) {
              expect(error).toBeInstanceOf(Refusal)
              continue
            }
            if (delivery.status === before.status) {
              expect(besides).toContain(intent.op)
              continue
            }
            // The driver of the job after accepting is whoever accepted, so ask with the row as it was.
            expect(allowed(before.status, delivery.status, actor, before)).toBe(true)
          }
          const taken = (delivery.history ?? []).map((step) => step.status)
          // A job that was given back begins anew.
          const straight = taken
            .slice(taken.lastIndexOf('Pending'))
            .filter((status) => status !== 'Cancelled')
          expect(straight).toEqual(timelineStatuses.slice(0, straight.length))
          expect(taken.filter((status) => status === 'Cancelled').length).toBeLessThanOrEqual(1)
          expect(delivery.status).toBe(taken.at(-1))
          expect(
            ['Pending', 'Cancelled'].includes(delivery.status) || delivery.driver !== undefined,
          ).toBe(true)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('R24, R25, R26: the driver accepts, picks up and delivers, and the sender approves', () => {
    const path: [DeliveryOperation['op'], Actor, Status][] = [
      ['acceptDelivery', { user: people.driver }, 'Accepted'],
      ['pickUpDelivery', { user: people.driver }, 'Picked Up'],
      ['completeDelivery', { user: people.driver }, 'Delivered'],
      ['approveDelivery', { user: people.sender }, 'Approved'],
    ]
    let delivery = pending('sender')
    for (const [op, actor, status] of path) {
      delivery = predict(delivery, { op } as DeliveryOperation, actor, when)
      expect(delivery.status).toBe(status)
    }
  })

  test('R27, R28: the screen offers exactly the actions that the rules allow', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 12 }), fc.constantFrom(...actors), (acts, viewer) => {
        let delivery = pending('sender')
        for (const [n, { actor, intent }] of acts.entries()) {
          try {
            delivery = predict(delivery, intent, actor, timeOf(n))
          } catch {}
        }
        const actions = intents.map(({ op }) => op)
        for (const [index, action] of actions.entries()) {
          let works = true
          try {
            // Every wait is over by then (R103).
            predict(delivery, intents[index] as DeliveryOperation, viewer, timeOf(100))
          } catch {
            works = false
          }
          expect(can(viewer, action, delivery)).toBe(works)
        }
      }),
    )
  })

  test('R50, R51, R52: the delivery code is visible to its sender, its guest and admins only, in every state', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('sender' as const, 'guest' as const),
        fc.array(act, { maxLength: 20 }),
        fc.constantFrom(...actors, undefined),
        (by, acts, viewer) => {
          let delivery = pending(by)
          for (const { actor, intent } of acts) {
            try {
              delivery = predict(delivery, intent, actor, when)
            } catch {}
          }
          const seen = JSON.stringify(visibleFields(viewer, delivery) ?? {})
          const user = viewer && 'user' in viewer ? viewer.user : undefined
          const mayKnow =
            user?.role === 'admin' ||
            (by === 'sender' && user?.ID === 'ama') ||
            (by === 'guest' &&
              viewer !== undefined &&
              'guestOf' in viewer &&
              viewer.guestOf === 'd1')
          // One that is being replaced is known to nobody (S67).
          expect(seen.includes('40917')).toBe(mayKnow && !delivery.newCodes)
          const isDriver = user !== undefined && delivery.driver?.id === user.ID
          const side =
            mayKnow || (isDriver && (isActiveDelivery(delivery) || delivery.disputed === true))
          expect(seen.includes('0244123456')).toBe(side)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  describe('R126: a tip', () => {
    const delivered = ['acceptDelivery', 'pickUpDelivery', 'completeDelivery'].reduce(
      (delivery, op) =>
        predict(delivery, { op } as DeliveryOperation, { user: people.driver }, when),
      pending('sender'),
    )
    const approve = (tip?: number, delivery = delivered) =>
      predict(delivery, { op: 'approveDelivery', tip }, { user: people.sender }, when)

    test.each([0.01, 5, 59.99, 60])('of ₵%d goes to the driver beside the offer', (tip) => {
      const approved = approve(tip)
      expect(approved).toMatchObject({ status: 'Approved', offer: 60, tip })
      expect(paidToDriver(approved)).toBe(6000 + toPesewas(tip))
      const movements = [holdOf(approved), ...settlementOf(approved)]
      const sum = (party: Movement['to']) =>
        movements.reduce(
          (all, { from, to, pesewas }) =>
            all + (to === party ? pesewas : 0) - (from === party ? pesewas : 0),
          0,
        )
      expect([sum('payer'), sum('set-aside')]).toEqual([-6000 - toPesewas(tip), 0])
      expect(priceText(approved)).toBe(`₵60 and a tip of ${shortPrice(tip)}`)
    })

    test.each([-0.01, 60.01, 0.001, 1e-9, 1.005, Number.NaN, Number.POSITIVE_INFINITY])(
      'of ₵%d is refused',
      (tip) => {
        expect(() => approve(tip)).toThrow('A tip is from ₵0 to ₵60, with at most two decimals.')
      },
    )

    test('of ₵0 is none, and whoever else ends the delivery gives none', () => {
      const decided = decide(delivered, { kind: 'release', reason: 'Both said so' }, when.at)
      for (const ended of [approve(0), approve(), approveByItself(delivered, when.at), decided]) {
        expect(ended).not.toHaveProperty('tip')
        expect(paidToDriver(ended)).toBe(6000)
        expect(priceText(ended)).toBe('₵60')
      }
      expect(() => approve(5, decided)).toThrow(Refusal)
    })
  })

  test('R174: a fee is the given per cent of the part of an offer, rounded down, and never of a tip', () => {
    const amounts = fc.record({
      offer: fc.integer({ min: 1, max: 10_000_000 }),
      feePercent: fc.integer({ min: 0, max: 3000 }).map((hundredths) => hundredths / 100),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      tip: fc.double({ min: 0, max: 1, noNaN: true }),
      isApproved: fc.boolean(),
    })
    fc.assert(
      fc.property(amounts, ({ offer, feePercent, share, tip, isApproved }) => {
        const part = isApproved ? offer : Math.round(offer * share)
        const ended = {
          status: isApproved ? 'Approved' : 'Cancelled',
          offer: offer / 100,
          feePercent,
          ...(isApproved ? { tip: Math.round(offer * tip) / 100 } : { driverShare: part / 100 }),
        }
        const fee = feeOf(part, feePercent)
        // Compared in hundredths of a per cent, which are whole numbers.
        expect(fee).toBe(Number((BigInt(part) * BigInt(Math.round(feePercent * 100))) / 10_000n))
        const tipped = isApproved ? Math.round(offer * tip) : 0
        expect(paidToDriver(ended)).toBe(part - fee + tipped)
        const left = settlementOf(ended).reduce(
          (sum, { from, to, pesewas }) =>
            sum - (from === 'set-aside' ? pesewas : 0) + (to === 'set-aside' ? pesewas : 0),
          offer,
        )
        expect(left).toBe(0)
      }),
    )
  })

  describe('R169: a raised offer', () => {
    const raise = (offer: number, delivery = pending('sender'), by = people.sender) =>
      predict(delivery, { op: 'raiseOffer', offer }, { user: by }, when)

    test('is the price from then on, and a step of the history; the difference is held', () => {
      const raised = raise(65.5)
      expect(raised).toMatchObject({ status: 'Pending', offer: 65.5, updatedAt: when.at })
      expect(raised.history?.at(-1)).toEqual({ status: 'Pending', offer: 65.5, ...when })
      const movement = { kind: 'raise', from: 'payer', to: 'set-aside', pesewas: 550 }
      expect(raiseOf(raised, pending('sender'))).toEqual(movement)
      expect(raiseOf(raised, raised)).toBeUndefined()
      const guest = predict(
        pending('guest'),
        { op: 'raiseOffer', offer: 70 },
        { guestOf: 'd1' },
        when,
      )
      expect(guest.offer).toBe(70)
    })

    test.each([60, 59.99, 60.001, 100_000.01, Number.NaN])('to ₵%d is refused', (offer) => {
      expect(() => raise(offer)).toThrow(
        'The offer is ₵60. It can only go up, to at most ₵100,000.',
      )
    })

    test('is its sender’s alone, and theirs once their number is confirmed', () => {
      const others = Object.values(people).filter(({ ID }) => ID !== people.sender.ID)
      for (const by of others) expect(() => raise(70, pending('sender'), by)).toThrow(Refusal)
      expect(() => raise(70, pending('sender'), { ...people.sender, Verified: false })).toThrow(
        Refusal,
      )
      expect(() => raise(70, pending('guest'))).toThrow(Refusal)
    })

    test('is refused once a driver has accepted, with the price that stands', () => {
      const accepted = predict(
        pending('sender'),
        { op: 'acceptDelivery' },
        { user: people.driver },
        when,
      )
      expect(() => raise(70, accepted)).toThrow(
        'A driver accepted it at ₵60, which stays the price.',
      )
    })

    test('is refused after twenty raises', () => {
      let delivery = pending('sender')
      for (let offer = 61; offer <= 80; offer++) delivery = raise(offer, delivery)
      expect(() => raise(81, delivery)).toThrow('You raised this offer 20 times.')
    })

    test('is suggested half an hour after the request, a give-back or the last raise', () => {
      const minute = 60_000
      const requested = Date.parse(pending('sender').createdAt)
      expect(isOverlooked(pending('sender'), requested + 29 * minute)).toBe(false)
      expect(isOverlooked(pending('sender'), requested + 30 * minute)).toBe(true)
      const raised = raise(70)
      expect(isOverlooked(raised, Date.parse(when.at) + 29 * minute)).toBe(false)
      expect(isOverlooked(raised, Date.parse(when.at) + 30 * minute)).toBe(true)
      const accepted = predict(raised, { op: 'acceptDelivery' }, { user: people.driver }, when)
      expect(isOverlooked(accepted, Date.parse(when.at) + 30 * minute)).toBe(false)
    })
  })

  test('R24: a driver cannot accept their own request', () => {
    const sender = { ...people.driver, ID: 'ama' }
    expect(() =>
      predict(pending('sender'), { op: 'acceptDelivery' }, { user: sender }, when),
    ).toThrow(Refusal)
  })
})
