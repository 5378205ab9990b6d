import { describe, expect, it } from 'vitest'
import { type OutboxCounts, syncPillText } from '../../../src/app/texts/sync-pill-text.ts'

const quiet: OutboxCounts = { unsent: 0, refused: 0, declined: 0, sending: 0, quarantined: 0 }
const pillText = (reachable: boolean | null, summary: Partial<OutboxCounts>, expired = false) =>
  syncPillText(reachable, { ...quiet, ...summary }, expired)?.text

describe('the sync pill', () => {
  it('is empty while there is nothing to report, or before the first request', () => {
    expect(pillText(true, {})).toBeUndefined()
    expect(pillText(null, {})).toBeUndefined()
  })

  it('says Offline, with the number of unsent entries', () => {
    expect(pillText(false, {})).toBe('Offline')
    expect(pillText(false, { unsent: 2 })).toBe('Offline · 2 waiting')
    expect(pillText(false, { unsent: 2, sending: 1 })).toBe('Offline · 2 waiting')
  })

  it('says what is being sent, else what waits', () => {
    expect(pillText(true, { unsent: 3, sending: 1 })).toBe('Sending 3…')
    expect(pillText(true, { unsent: 1 })).toBe('1 waiting')
  })

  it('shows refused entries rather than those that are sent without help', () => {
    expect(pillText(true, { unsent: 3, sending: 1, refused: 1 })).toBe('1 to fix')
    expect(pillText(true, { refused: 1, quarantined: 1 })).toBe('2 to fix')
  })

  it('asks to fix only what can be fixed, and says last what was declined for good', () => {
    expect(pillText(true, { refused: 3, declined: 2 })).toBe('1 to fix')
    expect(pillText(true, { refused: 2, declined: 2 })).toBe('2 declined')
    expect(pillText(true, { refused: 2, declined: 2, quarantined: 1 })).toBe('1 to fix')
    expect(pillText(true, { refused: 1, declined: 1, unsent: 1 })).toBe('1 waiting')
  })

  it('asks for a login when unsent entries wait for it', () => {
    expect(pillText(false, { unsent: 2 }, true)).toBe('Sign in · 2 waiting')
    expect(pillText(true, {}, true)).toBeUndefined()
  })

  it('says when the storage is full', () => {
    expect(syncPillText(true, quiet, false, true)?.text).toBe('Phone full')
    expect(syncPillText(true, { ...quiet, unsent: 1 }, true, true)?.text).toBe(
      'Sign in · 1 waiting',
    )
  })

  it('S29: says how many of how many were dealt with, from six on and while something is sent', () => {
    const text = (sending: number, total: number) =>
      syncPillText(true, { ...quiet, unsent: 3, sending }, false, false, {
        from: 1,
        done: total - 3,
        total,
      })?.text
    expect(text(1, 40)).toBe('Sending 37 of 40')
    expect(text(1, 5)).toBe('Sending 3…')
    expect(text(0, 40)).toBe('3 waiting')
  })

  it('S29: is never empty and never says that all was sent while something is unsent', () => {
    const some = [0, 1, 7]
    for (const reachable of [true, false, null])
      for (const expired of [true, false])
        for (const full of [true, false])
          for (const unsent of some)
            for (const refused of some)
              for (const quarantined of some)
                for (const sending of some.filter((count) => count <= unsent)) {
                  const declined = Math.min(refused, 1)
                  const summary = { unsent, refused, declined, sending, quarantined }
                  const pill = syncPillText(reachable, summary, expired, full)
                  if (unsent + refused + quarantined === 0) continue
                  expect(pill, JSON.stringify(summary)).not.toBeNull()
                  expect(pill?.text).not.toMatch(/all|sent\b|up to date/i)
                }
  })
})
