import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ActionTime, Delivery } from '#domain/deliveries/delivery.ts'
import { effectiveTime, lastEffectiveTime } from '#domain/deliveries/effective-time.ts'
import { defaultEndingTerms } from '#domain/deliveries/endings/incidents.ts'
import { attempt, returnableAt, startReturn } from '#domain/deliveries/endings/returns.ts'
import { accept, pickUp, releaseJob } from '#domain/deliveries/transitions.ts'
import { Refusal } from '#domain/errors.ts'
import { can, predict } from '#operations/rules.ts'
import { deliveryOf } from '../helpers/device/context.ts'
import { person } from '../helpers/device/device.ts'

const minute = 60_000
const kofi = person('kofi', 'driver', { driverStatus: 'approved' })
const made = deliveryOf('one', { status: 'Pending' })
const created = Date.parse(made.createdAt)
const iso = (time: number) => new Date(time).toISOString()

type Step = (delivery: Delivery, when: ActionTime) => Delivery
const toAccept: Step = (delivery, when) => accept(delivery, kofi, when)
const toPickUp: Step = (delivery, when) => pickUp(delivery, kofi, when)
const toAttempt: Step = (delivery, when) =>
  attempt(delivery, kofi, { reason: 'absent' }, when, defaultEndingTerms)
const toReturn: Step = (delivery, when) => startReturn(delivery, kofi, undefined, when)
const toGiveBack: Step = (delivery, when) => releaseJob(delivery, kofi, 'Tyre', when)
const way = [toAccept, toGiveBack, toAccept, toPickUp, toAttempt, toAttempt, toReturn]

/** Milliseconds from the creation at which each step is received, and at which its driver says it was done. */
type Times = { received: number; claimed: number }

/** Walks as far as the rules allow; `undefined` in place of the claim where the driver says nothing. */
function walk(steps: readonly Step[], times: readonly Times[]): Delivery {
  let delivery = made
  for (const [index, step] of steps.entries()) {
    const { received = 0, claimed = 0 } = times[index] ?? {}
    const when = { at: iso(created + received), occurredAt: iso(created + claimed) }
    delivery = step(delivery, when)
  }
  return delivery
}

const steps = ({ history = [], incidents = [] }: Delivery) => [...history, ...incidents]

describe('R133: the effective time of a step', () => {
  const anyClaim = fc.oneof(
    fc.integer({ min: -60 * minute, max: 120 * minute }),
    // From the year 1 to the year 9999.
    fc.integer({ min: -62_135_596_800_000 - created + 1, max: 253_402_300_799_000 - created }),
  )
  const anyTimes = fc.array(fc.tuple(fc.nat(40 * minute), anyClaim), {
    minLength: way.length,
    maxLength: way.length,
  })

  test('lies between the step before and the receipt, and no wait is shorter than the time that has passed', () => {
    fc.assert(
      fc.property(anyTimes, (drawn) => {
        let received = 0
        const times = drawn.map(([gap, claimed]) => {
          received += gap
          return { received, claimed }
        })
        for (let length = 1; length <= way.length; length++) {
          const [some, their] = [way.slice(0, length), times.slice(0, length)]
          try {
            const before = lastEffectiveTime(walk(some.slice(0, -1), their))
            const after = lastEffectiveTime(walk(some, their))
            expect(after).toBeGreaterThanOrEqual(before)
            expect(after).toBeLessThanOrEqual(created + (their.at(-1)?.received ?? 0))
          } catch (error) {
            if (!(error instanceof Refusal)) throw error
            expect(error.reason).toBe('wait')
            return
          }
        }
        expect(received).toBeGreaterThanOrEqual(defaultEndingTerms.wait)
      }),
      { seed: 133, numRuns: 300 },
    )
  })

  test('is the claim itself where it is possible: a driver who did it all offline is believed', () => {
    const claims = [1, 2, 3, 10, 20, 25, 31].map((minutes) => minutes * minute)
    const all = claims.map((claimed) => ({ received: 60 * minute, claimed }))
    const back = walk(way, all)
    expect(back.returnFrom).toBe(iso(created + 30 * minute))
    const effective = steps(back).slice(made.history?.length)
    expect(effective.map((step) => effectiveTime(step)).sort()).toEqual(
      [...claims, 2 * minute].map((claim) => created + claim).sort(),
    )
  })

  test('of steps of the version before is what they say, between the creation and the receipt', () => {
    const at = iso(created + 30 * minute)
    const old = (occurredAt?: string) => ({
      ...made,
      status: 'Accepted' as const,
      history: [{ status: 'Accepted' as const, at, occurredAt }],
      incidents: undefined,
    })
    expect(lastEffectiveTime(old(iso(created + minute)))).toBe(created + minute)
    expect(lastEffectiveTime(old('0001-01-01T00:00:00.000Z'))).toBe(created)
    expect(lastEffectiveTime(old(iso(created + 99 * minute)))).toBe(created + 30 * minute)
    expect(lastEffectiveTime(old())).toBe(created + 30 * minute)
    expect(lastEffectiveTime({ ...made, history: undefined })).toBe(created)
  })
})

describe('R103: the wait of a driver whose clock is wrong', () => {
  const wait = defaultEndingTerms.wait
  const pickedUp = walk(
    [toAccept, toPickUp],
    [
      { received: minute, claimed: minute },
      { received: 5 * minute, claimed: 5 * minute },
    ],
  )
  const attempted = created + 6 * minute

  describe.each([
    ['right', 0],
    ['an hour behind', -60 * minute],
    ['a year behind', -365 * 24 * 60 * minute],
    ['an hour ahead', 60 * minute],
    ['a day ahead', 24 * 60 * minute],
  ])('%s', (_, off) => {
    const claimedAt = (time: number, receivedAt = time) => ({
      at: iso(receivedAt),
      occurredAt: iso(time + off),
    })
    const waiting = toAttempt(pickedUp, claimedAt(attempted))
    const started = Date.parse(waiting.returnFrom ?? '') - wait
    // What counts is the receipt, or the pick-up where the clock is before it.
    const over = Math.max(attempted, started) + wait

    test('is ten minutes by that clock, on the phone', () => {
      expect(returnableAt(waiting)).toBe(attempted + off + wait)
      const foreseen = (time: number) => () =>
        predict(waiting, { op: 'startReturn' }, { user: kofi }, { at: iso(time + off) })
      // Of a clock that is ahead only the screen and the server know that it is too early.
      if (off <= 0) expect(foreseen(attempted + wait - 1)).toThrow(Refusal)
      expect(foreseen(attempted + wait)().returning).toBeDefined()
      expect(can({ user: kofi }, 'startReturn', waiting)).toBe(true)
    })

    test('is over for the server when it is over on the phone, and not before ten minutes', () => {
      expect(toReturn(waiting, claimedAt(over)).returning).toBeDefined()
      const tooEarly = () => toReturn(waiting, claimedAt(started + wait - 1))
      expect(tooEarly).toThrow(Refusal)
    })
  })

  test('a claim that was too early begins no shorter wait for one without a claim', () => {
    const waiting = toAttempt(pickedUp, { at: iso(attempted), occurredAt: iso(0) })
    expect(() => toReturn(waiting, { at: iso(attempted + minute) })).toThrow(Refusal)
  })

  test('there is none before the first attempt', () => {
    expect(returnableAt(pickedUp)).toBeUndefined()
  })
})
