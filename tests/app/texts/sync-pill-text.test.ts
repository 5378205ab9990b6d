import { describe, expect, it } from 'vitest'
import { type Summary, syncPillText } from '../../../src/app/texts/sync-pill-text.ts'

const quiet: Summary = { unsent: 0, refused: 0, sending: 0, setAside: 0 }
const said = (reachable: boolean | null, summary: Partial<Summary>, expired = false) =>
  syncPillText(reachable, { ...quiet, ...summary }, expired)?.text

describe('what the header says', () => {
  it('nothing while all is well, or nobody has tried yet', () => {
    expect(said(true, {})).toBeUndefined()
    expect(said(null, {})).toBeUndefined()
  })

  it('Offline, with what waits', () => {
    expect(said(false, {})).toBe('Offline')
    expect(said(false, { unsent: 2 })).toBe('Offline · 2 waiting')
    expect(said(false, { unsent: 2, sending: 1 })).toBe('Offline · 2 waiting')
  })

  it('what is on its way, and what waits its turn', () => {
    expect(said(true, { unsent: 3, sending: 1 })).toBe('Sending 3…')
    expect(said(true, { unsent: 1 })).toBe('1 waiting')
  })

  it('what needs the person comes before what goes by itself', () => {
    expect(said(true, { unsent: 3, sending: 1, refused: 1 })).toBe('1 needs you')
    expect(said(true, { refused: 1, setAside: 1 })).toBe('2 need you')
  })

  it('asks to sign in when the queue waits for that', () => {
    expect(said(false, { unsent: 2 }, true)).toBe('Sign in · 2 waiting')
    expect(said(true, {}, true)).toBeUndefined()
  })

  it('says so when the phone has no room left', () => {
    expect(syncPillText(true, quiet, false, true)?.text).toBe('Phone full')
    expect(syncPillText(true, { ...quiet, unsent: 1 }, true, true)?.text).toBe(
      'Sign in · 1 waiting',
    )
  })

  it('S29: is never silent, and never says that all was sent, with something unsent', () => {
    const some = [0, 1, 7]
    for (const reachable of [true, false, null])
      for (const expired of [true, false])
        for (const full of [true, false])
          for (const unsent of some)
            for (const refused of some)
              for (const setAside of some)
                for (const sending of some.filter((count) => count <= unsent)) {
                  const summary = { unsent, refused, sending, setAside }
                  const pill = syncPillText(reachable, summary, expired, full)
                  if (unsent + refused + setAside === 0) continue
                  expect(pill, JSON.stringify(summary)).not.toBeNull()
                  expect(pill?.text).not.toMatch(/all|sent\b|up to date/i)
                }
  })
})
