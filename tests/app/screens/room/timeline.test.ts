import { describe, expect, it } from 'vitest'
import { type Delivery, type Status, timelineStatuses } from '#domain/deliveries/delivery.ts'
import type { DeliveryRow, PendingOperation } from '#store/rows.ts'
import { linesOf } from '../../../../src/app/screens/room/timeline.tsx'

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
