import { describe, expect, it } from 'vitest'
import { hasContent } from '#domain/draft.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import { type EntryState, entryVersion } from '#store/outbox/entry.ts'
import { entryState, isReplaced } from '../../../../src/app/screens/outbox/entry-state.ts'

let seq = 0
const entry = (state: EntryState, more: Partial<Entry> = {}): Entry => ({
  ...{ seq: ++seq, id: `e${seq}`, account: 'u', op: 'completeDelivery', v: entryVersion },
  ...{ lane: 'd', after: [], photos: [], input: { id: 'd', code: '12345' } },
  ...{ attempts: 0, failures: 0, nextAt: Date.parse('2026-11-21T10:30:00.000Z') },
  ...{ occurredAt: '2026-11-21T10:00:00.000Z', title: 'Laptop', state },
  ...more,
})

describe('S28: every entry says where it stands in words', () => {
  it('waiting, it is saved on this phone, and says what it waits for', () => {
    const photo = entry('retrying', { op: 'uploadPhoto', input: { photo: 'p' } })
    const request = entry('waiting', { after: [photo.id] })
    expect(entryState(photo, [])).toMatchObject({
      text: 'Saved on this phone',
      note: 'No answer yet, trying again.',
    })
    expect(entryState(request, [photo])).toMatchObject({
      text: 'Saved on this phone',
      note: 'Waits for its photo.',
    })
    expect(entryState(request, [], { expired: true }).note).toBe('Goes when you have signed in.')
    const parent = entry('waiting', { op: 'acceptDelivery', input: { id: 'd' } })
    expect(entryState(entry('waiting', { after: [parent.id] }), [parent]).note).toBe(
      'Waits for “Accept: Laptop”.',
    )
  })

  it('put off, it says until when, or how often it is tried', () => {
    const tooMany = { reason: 'too-many', message: 'Too many tries.' } as const
    expect(entryState(entry('retrying', { error: tooMany }), []).note).toMatch(
      /^Too many attempts, retrying/,
    )
    const busy = { reason: 'unavailable', message: 'The service is busy.' } as const
    expect(entryState(entry('parked', { error: busy }), [])).toMatchObject({
      text: 'Saved on this phone',
      note: 'Put off, tried once a day. The service is busy.',
    })
  })

  it('on its way, it says how far its photo is', () => {
    expect(entryState(entry('sending'), []).text).toBe('Sending…')
    expect(entryState(entry('sending'), [], { share: 0.424 }).text).toBe('Sending… 42 %')
  })

  it('refused, it says why in plain words, the server’s own where it has some', () => {
    const text = 'Not sent, tap to fix'
    const said = { reason: 'wrong-code', message: 'That code belongs to another parcel.' } as const
    expect(entryState(entry('refused', { error: said }), [])).toMatchObject({
      text,
      note: said.message,
    })
    const silent = { reason: 'wrong-code', message: 'API error' } as const
    expect(entryState(entry('refused', { error: silent }), [])).toMatchObject({
      text,
      note: 'That delivery code is not right.',
    })
  })

  it('ended, it says how', () => {
    expect(entryState(entry('done', { endedAt: 0 }), []).text).toBe('Sent')
    expect(entryState(entry('done', { endedAt: Date.now() }), []).text).toMatch(/^Sent \d\d:\d\d$/)
    expect(entryState(entry('cancelled'), []).text).toBe('Taken back')
  })
})

describe('S28: what was asked for again was not taken back', () => {
  it('a wrong code after which another was entered', () => {
    const wrong = entry('cancelled')
    const right = entry('done')
    expect(isReplaced(wrong, [right, wrong])).toBe(true)
    expect(isReplaced(right, [right, wrong])).toBe(false)
    expect(isReplaced(wrong, [wrong])).toBe(false)
    expect(isReplaced(wrong, [wrong, entry('done', { lane: 'another' })])).toBe(false)
    expect(isReplaced(entry('cancelled'), [right])).toBe(false)
  })

  it('a request that went out again under another key', () => {
    const old = entry('cancelled', { lane: 'old', photos: ['p'] })
    expect(isReplaced(old, [entry('done', { lane: 'new', photos: ['p'] }), old])).toBe(true)
    expect(isReplaced(old, [entry('done', { lane: 'new', photos: ['q'] }), old])).toBe(false)
  })
})

it('a draft is one only when something was typed beside the sender’s own name', () => {
  const blank = {
    ...{ itemDescription: '', pickupZone: '', dropoffZone: '', recipientName: '' },
    ...{ recipientPhone: '', offer: '', senderName: 'Ama', senderPhone: '0244000000' },
  }
  expect(hasContent(blank)).toBe(false)
  expect(hasContent({ ...blank, pickupZone: 'Osu' })).toBe(true)
  expect(hasContent({ ...blank, photo: 'p' })).toBe(true)
})
