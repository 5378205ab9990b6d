import { describe, expect, it } from 'vitest'
import { type OperationName, operations } from '#operations/index.ts'
import type { Entry } from '#store/entries/operations.ts'
import { type EntryState, entryVersion } from '#sync/database/entry.ts'
import { entryTitle, outcomeToast } from '../../../src/app/texts/outbox-texts.ts'

const ended = (op: OperationName, state: EntryState, more: Partial<Entry> = {}): Entry => ({
  seq: 1,
  id: 'e',
  account: 'u',
  op,
  v: entryVersion,
  lane: 'd',
  after: [],
  photos: [],
  input: { id: 'd', photo: 'p' },
  attempts: 0,
  failures: 0,
  nextAt: 0,
  occurredAt: '2026-11-21T10:00:00.000Z',
  title: 'Laptop',
  state,
  ...more,
})
const decision = (status: 'approved' | 'rejected') => ({
  input: { id: 'u2', status, name: 'Kofi' },
  title: 'Kofi',
})

describe('the toast of a success', () => {
  const cases: [OperationName, Partial<Entry>, string, string | RegExp][] = [
    ['uploadPhoto', {}, 'Photo uploaded!', "Your item's photo is ready."],
    ['createDelivery', {}, 'Delivery Requested', /^Laptop is on the list for drivers/],
    [
      'createDelivery',
      { input: { payer: { phone: '0244000000', network: 'mtn' } } as never },
      'Delivery Requested',
      'Drivers see Laptop once the prompt is approved.',
    ],
    [
      'createGuestDelivery',
      {},
      'Delivery Created!',
      'Your guest delivery has been created successfully.',
    ],
    ['acceptDelivery', {}, 'Delivery Accepted', /Laptop/],
    ['pickUpDelivery', {}, 'Status Updated', /Picked Up/],
    ['completeDelivery', {}, 'Delivery completed', /Delivered/],
    [
      'completeDelivery',
      { input: { id: 'd', code: '12345', returning: true } },
      'Code confirmed',
      /done/,
    ],
    ['releaseJob', {}, 'Job given back', /on offer again/],
    ['reportAttempt', {}, 'Reported', /sender/],
    ['startReturn', {}, 'Return started', /sender/],
    ['confirmReturn', {}, 'Return confirmed', /back with you/],
    ['renewCode', {}, 'New code', /recipient/],
    ['raiseOffer', { input: { id: 'd', offer: 30 } }, 'Offer raised', /Laptop at ₵30/],
    ['attachProof', {}, 'Status Updated', /proof/],
    ['approveDelivery', {}, 'Status Updated', 'Laptop is Approved.'],
    [
      'approveDelivery',
      { input: { id: 'd', paidBy: 'momo' } },
      'Status Updated',
      'Laptop is Approved. The driver reads that you paid by mobile money.',
    ],
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
    ['resolveDispute', {}, 'Dispute Resolved', 'The dispute about Laptop is closed.'],
    [
      'settlePayout',
      { title: '₵36 to Kofi', input: { id: 'p', retry: true } },
      'Payout saved',
      '₵36 to Kofi is sent again.',
    ],
    [
      'settlePayout',
      { title: '₵36 to Kofi', input: { id: 'p', status: 'paid', reference: 'MP1' } },
      'Payout saved',
      '₵36 to Kofi is marked as paid.',
    ],
    [
      'assignDriver',
      { input: { id: 'd', driver: null, reason: 'x' } },
      'Driver changed',
      'Laptop is on offer again.',
    ],
    [
      'assignDriver',
      { input: { id: 'd', driver: 'kofi', reason: 'x' } },
      'Driver changed',
      'Laptop has its new driver.',
    ],
    ['correctDelivery', {}, 'Corrected', 'Both sides of Laptop read it.'],
    ['approveForSender', {}, 'Status Updated', 'Laptop is Approved.'],
    ['refundDelivery', {}, 'Refunded', /gets it back/],
    ['reportFor', {}, 'Dispute opened', /Laptop/],
    ['sendCode', {}, 'Code sent', /by SMS/],
    [
      'suspendUser',
      { title: 'Ama', input: { id: 'u', suspended: true, reason: 'Lost parcels' } },
      'Account suspended',
      'Ama is logged out.',
    ],
    [
      'suspendUser',
      { title: 'Ama', input: { id: 'u', suspended: false, reason: 'A mistake' } },
      'Suspension lifted',
      'Ama can log in again.',
    ],
    ['addNote', { title: 'Ama' }, 'Note saved', 'About Ama.'],
    ['addZone', { title: 'Osu' }, 'Zone added!', /"Osu"/],
    ['changeZone', { title: 'Osu' }, 'Zone saved!', /"Osu"/],
    ['removeZone', { title: 'Osu' }, 'Zone deleted!', /"Osu"/],
    ['addItem', { title: 'Keys' }, 'Item added!', /"Keys"/],
    ['changeItem', { title: 'Keys' }, 'Item saved!', /"Keys"/],
    ['removeItem', { title: 'Keys' }, 'Item deleted!', /"Keys"/],
    ['changeSettings', {}, 'Settings saved!', /hour/],
  ]
  for (const [op, more, title, text] of cases)
    it(`${op} says ${title}`, () => {
      const toast = outcomeToast(ended(op, 'done', more))
      expect(toast?.title).toBe(title)
      expect(toast?.text).toMatch(text)
      expect(toast?.destructive).toBeFalsy()
    })
})

describe('the toast of a refusal', () => {
  const withoutToast = ['addZone', 'addItem', 'acknowledgeCancel']
  const cases: [OperationName, Partial<Entry>, string, string][] = [
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
    ['settlePayout', {}, 'Error', 'Failed to save the payout'],
    ['suspendUser', {}, 'Error', 'Failed to save the suspension'],
    ['addNote', {}, 'Error', 'Failed to save the note'],
    ['changeZone', {}, 'Error', 'Failed to save the zone'],
    ['removeZone', {}, 'Error', 'Failed to delete zone'],
    ['changeItem', {}, 'Error', 'Failed to save the item'],
    ['removeItem', {}, 'Error', 'Failed to delete item'],
    ['changeSettings', {}, 'Error', 'Failed to save the settings'],
  ]
  for (const [op, more, title, text] of cases)
    it(`${op} without a message from the server says "${text}"`, () => {
      expect(outcomeToast(ended(op, 'refused', more))).toMatchObject({
        title,
        text,
        destructive: true,
      })
    })

  it("a decision on a driver is followed by the server's message", () => {
    const error = { reason: 'invalid', message: 'A job is under way.' } as const
    for (const [status, text] of [
      ['approved', 'Failed to approve driver. A job is under way.'],
      ['rejected', 'Failed to reject driver. A job is under way.'],
    ] as const)
      expect(
        outcomeToast(ended('reviewDriver', 'refused', { ...decision(status), error }))?.text,
      ).toBe(text)
  })

  for (const op of Object.keys(operations) as OperationName[])
    it(`${op} ${withoutToast.includes(op) ? 'says nothing' : "says the server's message"}`, () => {
      const error = { reason: 'taken', message: 'Another driver was first.' } as const
      const toast = outcomeToast(ended(op, 'refused', { error }))
      if (withoutToast.includes(op)) expect(toast).toBeUndefined()
      else expect(toast?.text).toContain('Another driver was first.')
    })
})

it('R103: a return that came too early says where to read from when on it counts', () => {
  const error = { reason: 'wait', message: 'Wait a little longer.' } as const
  expect(outcomeToast(ended('startReturn', 'refused', { error }))).toMatchObject({
    title: 'Too early to return it',
    text: 'The delivery says from when you can.',
    destructive: true,
  })
})

describe('entries without a toast', () => {
  for (const op of Object.keys(operations) as OperationName[])
    it(`${op} that was cancelled or is not sent yet`, () => {
      for (const state of ['cancelled', 'waiting', 'sending', 'retrying'] as const)
        expect(outcomeToast(ended(op, state))).toBeUndefined()
    })

  it('an entry of an unknown operation does not throw', () => {
    const unknown = { ...ended('acceptDelivery', 'done'), op: 'teleport' } as unknown as Entry
    expect(outcomeToast(unknown)).toBeUndefined()
    expect(entryTitle(unknown)).toBe('Laptop')
  })
})

it('a parked entry has a toast with a link to the outbox', () => {
  const toast = outcomeToast(ended('createDelivery', 'parked'))
  expect(toast).toMatchObject({ title: 'Not sent yet', action: { to: '/outbox' } })
})

describe('S56, S54: the toast of what was taken back or lost', () => {
  it('what had been done already is not announced as a success', () => {
    expect(outcomeToast(ended('approveDelivery', 'done', { withdrawal: 'asked' }))).toMatchObject({
      title: 'Already received',
      action: { to: '/delivery/d' },
    })
  })

  it('S73: where the backend cannot be asked, it says that it may have arrived', () => {
    expect(outcomeToast(ended('reportIssue', 'parked', { withdrawal: 'unknown' }))).toMatchObject({
      title: 'It may have arrived',
      action: { to: '/outbox' },
    })
  })

  it('a request that is being cancelled because it was taken back has none', () => {
    expect(outcomeToast(ended('createDelivery', 'done'), true)).toBeUndefined()
  })

  it('what was lost says that it can be sent again, what depends on it nothing', () => {
    const error = { reason: 'lost', message: 'Lost.' } as const
    expect(outcomeToast(ended('createDelivery', 'refused', { error }))).toMatchObject({
      title: 'This was lost on our side',
      text: 'Request: Laptop: please send it again.',
      destructive: true,
    })
    const because = { error: { ...error, because: 'e' } }
    expect(outcomeToast(ended('cancelDelivery', 'refused', because))).toBeUndefined()
  })
})

it('R179: what a higher offer or a tip needs is said, where a provider charges it', () => {
  const prompt = 'Approve the prompt for ₵5 on 0244000000.'
  const raised = ended('raiseOffer', 'done', { input: { id: 'd', offer: 65 } })
  expect(outcomeToast(raised, false, prompt)).toMatchObject({
    title: 'Approve the prompt',
    text: `${prompt} Drivers then see ₵65.`,
  })
  expect(outcomeToast(ended('approveDelivery', 'done'), false, prompt)).toMatchObject({
    title: 'Status Updated',
    text: `Laptop is Approved. ${prompt} Then the tip counts.`,
  })
})
