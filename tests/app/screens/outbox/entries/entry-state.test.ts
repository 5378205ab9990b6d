import { describe, expect, it, test } from 'vitest'
import { screenOf } from '#app/screens/outbox/entries/entry-screen.ts'
import { entryState } from '#app/screens/outbox/entries/entry-state.ts'
import { hasContent } from '#domain/deliveries/draft.ts'
import type { OperationName } from '#operations/index.ts'
import type { Entry } from '#store/entries/operations.ts'
import { type EntryState, entryVersion } from '#sync/database/entry.ts'

let seq = 0
const entry = (state: EntryState, more: Partial<Entry> = {}): Entry => ({
  seq: ++seq,
  id: `e${seq}`,
  account: 'u',
  op: 'completeDelivery',
  v: entryVersion,
  lane: 'd',
  after: [],
  photos: [],
  input: { id: 'd', code: '12345' },
  attempts: 0,
  failures: 0,
  nextAt: Date.parse('2026-11-21T10:30:00.000Z'),
  occurredAt: '2026-11-21T10:00:00.000Z',
  title: 'Laptop',
  state,
  ...more,
})

describe('S28: the state of an entry in words', () => {
  it('what waits says that it is not sent, and what it waits for', () => {
    const request = entry('waiting')
    expect(entryState(request, [])).toMatchObject({
      text: 'Not sent yet',
      note: "Sends when you're online.",
    })
    expect(entryState(request, [], { expired: true }).note).toBe('Sends when you log in.')
    const parent = entry('waiting', { op: 'acceptDelivery', input: { id: 'd' } })
    expect(entryState(entry('waiting', { after: [parent.id] }), [parent]).note).toBe(
      'Sends after “Accept: Laptop”.',
    )
  })

  it('a request is as far as its photo, which goes first', () => {
    const photo = (state: EntryState) =>
      entry(state, { op: 'uploadPhoto', input: { photo: 'p' }, isPart: 1 })
    const stateWith = (state: EntryState, share?: number) => {
      const upload = photo(state)
      return entryState(entry('waiting', { after: [upload.id] }), [upload], { share })
    }
    expect(stateWith('retrying').note).toBe('No connection, trying again.')
    expect(stateWith('sending', 0.62)).toMatchObject({ text: 'Sending… 62 %', isSending: true })
    expect(stateWith('parked').note).toBe('Paused, retries daily.')
    expect(stateWith('done').note).toBe("Sends when you're online.")
  })

  it('S60: what is held says that it can still be undone', () => {
    expect(entryState(entry('waiting', { held: true }), []).note).toBe('You can still undo it.')
  })

  it('a throttled entry says when it is retried, a parked one how often', () => {
    const tooMany = { reason: 'too-many', message: 'Too many tries.' } as const
    expect(entryState(entry('retrying', { error: tooMany }), []).note).toMatch(
      /^Too many attempts, retrying/,
    )
    const busy = { reason: 'unavailable', message: 'The service is busy.' } as const
    expect(entryState(entry('parked', { error: busy }), [])).toMatchObject({
      text: 'Not sent yet',
      note: 'Paused, retries daily. The service is busy.',
    })
  })

  it('an entry being sent says how much of its photo is uploaded', () => {
    expect(entryState(entry('sending'), []).text).toBe('Sending…')
    expect(entryState(entry('sending'), [], { share: 0.424 }).text).toBe('Sending… 42 %')
  })

  it('a refused entry says why, in the server’s words where it sent some', () => {
    const text = 'Action needed'
    const withMessage = {
      reason: 'wrong-code',
      message: 'That code belongs to another parcel.',
    } as const
    expect(entryState(entry('refused', { error: withMessage }), [])).toMatchObject({
      text,
      note: withMessage.message,
    })
    const withoutMessage = { reason: 'wrong-code', message: 'API error' } as const
    expect(entryState(entry('refused', { error: withoutMessage }), [])).toMatchObject({
      text,
      note: 'Wrong code. Check it with the recipient.',
    })
  })

  it('what nobody can fix is declined, whatever else was refused can be fixed', () => {
    const error = { reason: 'taken', message: 'Another driver got this job first.' } as const
    const refused = (op: OperationName) => entryState(entry('refused', { op, error }), [])
    expect(refused('acceptDelivery')).toEqual({
      text: 'Declined',
      tone: 'plain',
      note: error.message,
    })
    expect(refused('createDelivery')).toMatchObject({ text: 'Action needed', tone: 'red' })
  })

  it('an entry that ended says how', () => {
    expect(entryState(entry('done', { endedAt: 0 }), []).text).toBe('Sent')
    expect(entryState(entry('done', { endedAt: Date.now() }), []).text).toMatch(/^Sent \d\d:\d\d$/)
    expect(entryState(entry('cancelled'), []).text).toBe('Cancelled')
    // What was declined and then put away is not something the person cancelled.
    const error = { reason: 'taken', message: 'Another driver got this job first.' } as const
    expect(entryState(entry('cancelled', { error }), [])).toMatchObject({
      text: 'Declined',
      note: error.message,
    })
  })

  it('S56, S73: what was taken back says what has become of it, and where nobody knows promises nothing', () => {
    const taken = { withdrawal: 'asked', left: true } as const
    expect(entryState(entry('waiting', taken), [])).toMatchObject({
      text: 'Cancelling…',
      note: "Not sent yet · sends when you're online",
    })
    expect(entryState(entry('done', taken), [])).toMatchObject({
      text: 'Already received',
      note: "It couldn't be cancelled any more.",
    })
    expect(entryState(entry('cancelled', taken), [])).toMatchObject({
      text: 'Cancelled',
      note: 'It had not arrived.',
    })
    const unknown = { withdrawal: 'unknown', left: true } as const
    expect(entryState(entry('parked', unknown), [])).toMatchObject({
      text: 'It may have arrived',
      note: "It couldn't be cancelled.",
    })
    expect(entryState(entry('cancelled', unknown), [])).toMatchObject({
      text: 'Stopped',
      note: 'It may have arrived. It is not sent again.',
    })
  })

  it.each([
    ['retrying', 'waiting', 'Cancelling…'],
    ['done', 'waiting', 'Cancelling…'],
    ['done', 'done', 'Cancelled'],
    ['done', 'refused', 'Already received'],
  ] as const)('S56: a request that is %s, its cancellation %s: %s', (state, cancelled, text) => {
    const request = entry(state, { op: 'createDelivery' })
    const cancellation = entry(cancelled, { op: 'cancelDelivery' })
    expect(entryState(request, [], { cancellation }).text).toBe(text)
  })

  it('S54: what a restored server has lost says so, also when it was being taken back', () => {
    const error = { reason: 'lost', message: 'Lost.' } as const
    const text = 'Action needed'
    expect(entryState(entry('refused', { error }), []).text).toBe(text)
    expect(entryState(entry('refused', { error, withdrawal: 'asked' }), []).text).toBe(text)
    expect(entryState(entry('refused', { error: { ...error, because: 'e1' } }), []).note).toBe(
      'It is sent again with what it depends on.',
    )
  })
})

it('a draft has content only when something besides the sender’s own name was typed', () => {
  const blank = {
    itemDescription: '',
    pickupZone: '',
    dropoffZone: '',
    recipientName: '',
    recipientPhone: '',
    offer: '',
    senderName: 'Ama',
    senderPhone: '0244000000',
  }
  expect(hasContent(blank)).toBe(false)
  expect(hasContent({ ...blank, pickupZone: 'Osu' })).toBe(true)
  expect(hasContent({ ...blank, photo: 'p' })).toBe(true)
})

test('the card of what is about the account opens the account, and another one its delivery', () => {
  const card = entry('waiting', { op: 'changeDriverCard', input: {} as Entry['input'] })
  expect(screenOf(card)).toBe('/profile')
  expect(screenOf(entry('waiting'))).toBe('/delivery/d')
})
