import { describe, expect, it } from 'vitest'
import { type Entry, inputs, type OutboxOp } from '#store/deliveries/operations.ts'
import { type EntryState, entryVersion } from '#store/outbox/entry.ts'
import { entryTitle, outcomeToast } from '../../../src/app/texts/outbox-texts.ts'

const ended = (op: OutboxOp, state: EntryState, more: Partial<Entry> = {}): Entry => ({
  ...{ seq: 1, id: 'e', account: 'u', op, v: entryVersion, lane: 'd', after: [], photos: [] },
  ...{ input: { id: 'd', photo: 'p' }, attempts: 0, failures: 0, nextAt: 0 },
  ...{ occurredAt: '2026-11-21T10:00:00.000Z', title: 'Laptop', state },
  ...more,
})
const decision = (status: 'approved' | 'rejected') => ({
  input: { id: 'u2', status, name: 'Kofi' },
  title: 'Kofi',
})

describe('how a success is told (spec §8)', () => {
  const told: [OutboxOp, Partial<Entry>, string, string | RegExp][] = [
    ['uploadPhoto', {}, 'Photo uploaded!', "Your item's photo is ready."],
    ['createDelivery', {}, 'Delivery Requested', /Laptop/],
    [
      'createGuestDelivery',
      {},
      'Delivery Created!',
      'Your guest delivery has been created successfully.',
    ],
    ['acceptDelivery', {}, 'Delivery Accepted', /Laptop/],
    ['pickUpDelivery', {}, 'Status Updated', /Picked Up/],
    ['completeDelivery', {}, 'Delivery completed', /Delivered/],
    ['attachProof', {}, 'Status Updated', /proof/],
    ['approveDelivery', {}, 'Status Updated', /Approved/],
    ['cancelDelivery', {}, 'Status Updated', /Cancelled/],
    ['reportIssue', {}, 'Issue Reported', /look into it/],
    ['changePhone', { title: '0244123456' }, 'Phone Updated', /0244123456/],
    [
      'reviewDriver',
      decision('approved'),
      'Driver Approved',
      'Driver has been approved successfully',
    ],
    ['reviewDriver', decision('rejected'), 'Driver Rejected', 'Driver has been rejected'],
    ['addZone', { title: 'Osu' }, 'Zone added!', /"Osu"/],
    ['removeZone', { title: 'Osu' }, 'Zone deleted!', /"Osu"/],
    ['addItem', { title: 'Keys' }, 'Item added!', /"Keys"/],
    ['removeItem', { title: 'Keys' }, 'Item deleted!', /"Keys"/],
  ]
  for (const [op, more, title, text] of told)
    it(`${op} says ${title}`, () => {
      const toast = outcomeToast(ended(op, 'done', more))
      expect(toast?.title).toBe(title)
      expect(toast?.text).toMatch(text)
      expect(toast?.destructive).toBeFalsy()
    })
})

describe('how a refusal is told (spec §8)', () => {
  const silent = ['addZone', 'addItem']
  const told: [OutboxOp, Partial<Entry>, string, string][] = [
    ['uploadPhoto', {}, 'Upload Failed', 'Failed to upload photo. Please try again.'],
    ['createDelivery', {}, 'Request Failed', 'Failed to create delivery request'],
    ['createGuestDelivery', {}, 'Error', 'Failed to create delivery'],
    [
      'acceptDelivery',
      {},
      'Cannot Accept',
      'You already have an active delivery. Please complete it first.',
    ],
    ['pickUpDelivery', {}, 'Error', 'Failed to update status'],
    ['completeDelivery', {}, 'Error', 'Failed to update status'],
    ['approveDelivery', {}, 'Error', 'Failed to update status'],
    ['reviewDriver', decision('approved'), 'Error', 'Failed to approve driver'],
    ['reviewDriver', decision('rejected'), 'Error', 'Failed to reject driver'],
    ['removeZone', {}, 'Error', 'Failed to delete zone'],
    ['removeItem', {}, 'Error', 'Failed to delete item'],
  ]
  for (const [op, more, title, text] of told)
    it(`${op} without the server's words says "${text}"`, () => {
      expect(outcomeToast(ended(op, 'refused', more))).toMatchObject({
        title,
        text,
        destructive: true,
      })
    })

  for (const op of Object.keys(inputs) as OutboxOp[])
    it(`${op} ${silent.includes(op) ? 'says nothing' : "says the server's reason"}`, () => {
      const error = { reason: 'taken', message: 'Another driver was first.' } as const
      const toast = outcomeToast(ended(op, 'refused', { error }))
      if (silent.includes(op)) expect(toast).toBeUndefined()
      else expect(toast?.text).toContain('Another driver was first.')
    })
})

describe('what is not told', () => {
  for (const op of Object.keys(inputs) as OutboxOp[])
    it(`${op} taken back, or still on its way`, () => {
      for (const state of ['cancelled', 'waiting', 'sending', 'retrying'] as const)
        expect(outcomeToast(ended(op, state))).toBeUndefined()
    })

  it('an entry of an unknown kind does not break the toaster', () => {
    const unknown = { ...ended('acceptDelivery', 'done'), op: 'teleport' } as unknown as Entry
    expect(outcomeToast(unknown)).toBeUndefined()
    expect(entryTitle(unknown)).toBe('Laptop')
  })
})

it('an entry put off is told, and where to find it', () => {
  const toast = outcomeToast(ended('createDelivery', 'parked'))
  expect(toast).toMatchObject({ title: 'Not sent yet', action: { to: '/outbox' } })
})
