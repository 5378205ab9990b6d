import { describe, expect, it } from 'vitest'
import { eventsOf, linesOf } from '#app/screens/room/timeline/timeline-lines.ts'
import { type Delivery, type Status, timelineStatuses } from '#domain/deliveries/delivery.ts'
import type { DeliveryRow, PendingOperation } from '#store/rows.ts'

const at = '2026-11-21T10:00:00.000Z'
const delivery = (status: Status, walked: readonly Status[] = []): Delivery => ({
  ID: 'd',
  status,
  itemDescription: 'Laptop',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  offer: 60,
  isGuestDelivery: false,
  createdAt: at,
  updatedAt: at,
  history: walked.map((each) => ({ status: each, at })),
})
const row = (view: Delivery, more: Partial<DeliveryRow> = {}): DeliveryRow => ({
  account: 'u',
  ID: 'd',
  view,
  known: true,
  marks: [],
  ...more,
})
const waiting = (op: PendingOperation['op']): PendingOperation => ({
  entry: 'e',
  op,
  state: 'waiting',
})
const states = (of: DeliveryRow) => linesOf(of).map(({ status, state }) => `${status}: ${state}`)

describe('the timeline', () => {
  it('R23: shows the five steps, the reached one as current, the last as done', () => {
    for (const [reached, status] of timelineStatuses.entries()) {
      const lines = linesOf(row(delivery(status, timelineStatuses.slice(0, reached + 1))))
      expect(lines.map(({ status: each }) => each)).toEqual(timelineStatuses)
      const wanted = timelineStatuses.map((_, step) => {
        if (step < reached) return 'done'
        if (step > reached) return 'ahead'
        return reached === timelineStatuses.length - 1 ? 'done' : 'now'
      })
      expect(lines.map(({ state }) => state)).toEqual(wanted)
    }
  })

  it('R104: announces no Delivered for a parcel that is being brought back', () => {
    const walked = timelineStatuses.slice(0, 3)
    const view = { ...delivery('Picked Up', walked), returning: { at, reason: 'absent' } }
    expect(states(row(view as Delivery))).toEqual([
      'Pending: done',
      'Accepted: done',
      'Picked Up: now',
    ])
  })

  it('shows a request that the server does not know as not confirmed', () => {
    const view = delivery('Pending', ['Pending'])
    expect(states(row(view, { known: false, marks: [waiting('createGuestDelivery')] }))[0]).toBe(
      'Pending: asked',
    )
  })

  it('shows an unconfirmed accept as not confirmed', () => {
    const server = delivery('Pending', ['Pending'])
    const view = delivery('Accepted', ['Pending', 'Accepted'])
    expect(states(row(view, { server, marks: [waiting('acceptDelivery')] })).slice(0, 3)).toEqual([
      'Pending: now',
      'Accepted: asked',
      'Picked Up: ahead',
    ])
  })

  it('shows each of several steps taken offline as not confirmed', () => {
    const server = delivery('Accepted', ['Pending', 'Accepted'])
    const view = delivery('Delivered', ['Pending', 'Accepted', 'Picked Up', 'Delivered'])
    const marks = [waiting('pickUpDelivery'), waiting('completeDelivery')]
    expect(states(row(view, { server, marks }))).toEqual([
      'Pending: done',
      'Accepted: now',
      'Picked Up: asked',
      'Delivered: asked',
      'Approved: ahead',
    ])
  })

  it('shows only the steps that a cancelled delivery went through', () => {
    expect(states(row(delivery('Cancelled', ['Pending', 'Accepted', 'Cancelled'])))).toEqual([
      'Pending: done',
      'Accepted: done',
      'Cancelled: cancelled',
    ])
  })

  it('does not show an unconfirmed cancel as cancelled', () => {
    const server = delivery('Pending', ['Pending'])
    const view = delivery('Cancelled', ['Pending', 'Cancelled'])
    expect(states(row(view, { server, marks: [waiting('cancelDelivery')] }))[0]).toBe(
      'Pending: now',
    )
  })
})

describe('R101 to R104: what went another way stands among the steps in order of time', () => {
  const time = (minutes: number) => new Date(Date.parse(at) + minutes * 60_000).toISOString()
  const named = (of: DeliveryRow) =>
    eventsOf(of).map((each) => ('status' in each ? each.status : `${each.kind}: ${each.state}`))

  it('a job that was given back and accepted anew', () => {
    const view: Delivery = {
      ...delivery('Accepted'),
      incidents: [{ kind: 'release', reason: 'Flat tyre', at: time(20) }],
      history: [
        { status: 'Pending', at },
        { status: 'Accepted', at: time(10) },
        { status: 'Pending', at: time(20) },
        { status: 'Accepted', at: time(30) },
      ],
    }
    expect(named(row(view)).slice(0, 4)).toEqual([
      'Pending',
      'release: setback',
      'Accepted',
      'Picked Up',
    ])
    const onOffer = { ...view, status: 'Pending' as const, history: view.history?.slice(0, 3) }
    expect(named(row(onOffer)).slice(0, 3)).toEqual(['Pending', 'release: setback', 'Accepted'])
    expect(linesOf(row(onOffer))[0]?.step?.at).toBe(at)
  })

  it('attempts and the return of a parcel that came back, the last not confirmed yet', () => {
    const server: Delivery = {
      ...delivery('Picked Up', ['Pending', 'Accepted', 'Picked Up']),
      incidents: [
        { kind: 'attempt', reason: 'absent', at: time(5) },
        { kind: 'attempt', reason: 'refused', at: time(9) },
      ],
    }
    const back = { kind: 'return' as const, reason: 'refused', at: time(12) }
    const view = { ...server, incidents: [...(server.incidents ?? []), back] }
    const marks = [waiting('startReturn')]
    expect(named(row(view, { server, marks }))).toEqual([
      'Pending',
      'Accepted',
      'Picked Up',
      'attempt: setback',
      'attempt: setback',
      'return: asked',
      'Delivered',
      'Approved',
    ])
    const over: Delivery = {
      ...view,
      status: 'Cancelled',
      outcome: 'returned',
      history: [...(server.history ?? []), { status: 'Cancelled', at: time(30) }],
    }
    expect(named(row(over))).toEqual([
      'Pending',
      'Accepted',
      'Picked Up',
      'attempt: setback',
      'attempt: setback',
      'return: setback',
      'Cancelled',
    ])
  })
})
