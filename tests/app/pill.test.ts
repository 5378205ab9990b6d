import { describe, expect, it } from 'vitest'
import { pillOf, type Summary } from '../../src/app/pill.ts'

const quiet: Summary = { unsent: 0, refused: 0, sending: 0, setAside: 0 }
const said = (reachable: boolean | null, summary: Partial<Summary>, expired = false) =>
  pillOf(reachable, { ...quiet, ...summary }, expired)?.text

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
})
