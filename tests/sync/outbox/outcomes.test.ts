import { describe, expect, test } from 'vitest'
import { Refused, Unreachable } from '#contract/wire-errors.ts'
import { Refusal } from '#domain/errors.ts'
import { outboxModel } from '#store/deliveries/outbox-model.ts'
import type { OutboxEntry } from '#sync/database/entry.ts'
import { park } from '#sync/outbox/backoff.ts'
import { commitTurn } from '#sync/outbox/turn.ts'
import { dependantsAmong, hasSendable, hasUnsent, hasWaiting } from '#sync/outbox/unsent.ts'
import { upgradeEntries } from '#sync/outbox/upgrades.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'
import { reportEntry } from '../../helpers/device/report-entry.ts'

const [minute, hour] = [60_000, 3_600_000]
const now = 1_000_000_000
const wallClock = 5_000_000_000
const sending = { state: 'sending', lease: { holder: 'tab', until: now + minute } } as const

async function phoneWith(entries: OutboxEntry[]) {
  const { db } = createDevice()
  await db.open()
  await signIn(db, person('kofi', 'driver'))
  await db.outbox.bulkAdd(entries as never[])
  return db
}

const turnOf = (more: Partial<Parameters<typeof commitTurn>[2]>) => ({
  outcomes: [],
  returned: [],
  knownUpTo: undefined,
  holder: { id: 'tab', now, isAlone: true },
  wallClock,
  choose: () => [],
  ...more,
})

/** An entry after one try that ended with `error`; it waits as long as it ever does. */
async function tried(error: unknown, before: Partial<OutboxEntry> = {}, inPart = false) {
  const db = await phoneWith([reportEntry(0, { ...sending, ...before })])
  const [entry] = await db.outbox.toArray()
  if (!entry) throw new Error('One entry')
  await commitTurn(
    db,
    outboxModel,
    turnOf({ outcomes: [{ entry, error, jitter: 1, inPart, token: 'token-of-kofi' }] }),
  )
  const [after] = await db.outbox.toArray()
  return { after: after as OutboxEntry, session: await db.sessions.get('current') }
}

/** Milliseconds until an entry may be tried again. */
const waitOf = ({ nextAt }: OutboxEntry) => nextAt - wallClock

describe('S12: a try without a final answer', () => {
  test('keeps the entry, which may have left, and waits longer each time', async () => {
    const waits: number[] = []
    for (let attempts = 0; attempts < 8; attempts++) {
      const { after } = await tried(new Unreachable('No answer'), { attempts })
      expect(after).toMatchObject({ state: 'retrying', attempts: attempts + 1, left: true })
      expect(after).toMatchObject({ failures: 0, held: false, error: { reason: 'unavailable' } })
      expect(after.lease).toBeUndefined()
      waits.push(waitOf(after))
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(new Set(waits).size).toBeGreaterThan(4)
    expect(waits[0]).toBeGreaterThan(0)
  })

  test('S41: in a request that got something done waits as after the first', async () => {
    const first = (await tried(new Unreachable('Broken off'), { attempts: 0 }, true)).after
    const later = (await tried(new Unreachable('Broken off'), { attempts: 6 }, true)).after
    expect(waitOf(later)).toBe(waitOf(first))
    expect([first.attempts, later.attempts]).toEqual([1, 6])
  })

  test('S13: waits as long as the server says, whatever the person or a network wants', async () => {
    const error = new Unreachable('Busy', { status: 503, retryAfter: 77_000, isOurs: true })
    for (const inPart of [false, true]) {
      const { after } = await tried(error, { attempts: 3 }, inPart)
      expect(waitOf(after)).toBe(77_000)
      expect(after).toMatchObject({ held: true, failures: 0, lastAnswer: { status: 503 } })
    }
  })

  test('says that there were too many only where the server does', async () => {
    expect((await tried(new Unreachable('', { status: 429 }))).after.error?.reason).toBe('too-many')
    expect((await tried(new Unreachable('', { status: 503 }))).after.error?.reason).toBe(
      'unavailable',
    )
  })
})

describe('S16: an hour of failures of the server parks an entry for a day', () => {
  const failed = async (
    status: number,
    more: Partial<OutboxEntry>,
    about: { retryAfter?: number; isOurs?: boolean } = {},
  ) => (await tried(new Unreachable('Oops', { status, isOurs: true, ...about }), more)).after
  const long = { failures: 20, failingFor: 2 * hour, failedAt: now - minute }

  test.each([400, 404, 500, 502, 503, 504])('a %i counts', async (status) => {
    const first = await failed(status, {})
    expect(first).toMatchObject({ failures: 1, failingFor: 0, failedAt: now, state: 'retrying' })
    const parked = await failed(status, long)
    expect(parked).toMatchObject({ state: 'parked', held: true, unseen: 1, failures: 21 })
    expect(waitOf(parked)).toBe(park.for)
  })

  test.each([408, 425, 426, 429])('a %i asks for patience and does not', async (status) => {
    expect(await failed(status, long)).toMatchObject({ state: 'retrying', failures: 20 })
  })

  test.each([404, 502, 511])('a gateway’s %i does not count', async (status) => {
    const retryAfter = 77_000
    for (const about of [{ isOurs: false }, { isOurs: false, retryAfter }]) {
      const after = await failed(status, long, about)
      expect(after).toMatchObject({ state: 'retrying', failures: 20, held: false })
      if ('retryAfter' in about) expect(waitOf(after)).toBe(retryAfter)
    }
  })

  test('what names a time does not count, however long', async () => {
    expect(await failed(503, long, { retryAfter: 2_000 })).toMatchObject({
      state: 'retrying',
      failures: 20,
    })
  })

  test('many failures in a short time do not park, nor few in a long time', async () => {
    const soon = { failures: 100, failingFor: 10 * minute, failedAt: now - minute }
    expect(await failed(500, soon)).toMatchObject({ state: 'retrying', failures: 101 })
    const seldom = { failures: park.after - 2, failingFor: 5 * hour, failedAt: now - minute }
    expect(await failed(500, seldom)).toMatchObject({ state: 'retrying' })
  })

  test('time between two failures counts up to a bound, and a clock set back takes none away', async () => {
    const before = { failures: 1, failingFor: 1_000 }
    const asleep = await failed(500, { ...before, failedAt: now - 24 * hour })
    expect(asleep).toMatchObject({ failingFor: 1_000 + park.longestGap, failedAt: now })
    const setBack = await failed(500, { ...before, failedAt: now + hour })
    expect(setBack).toMatchObject({ failingFor: 1_000, failedAt: now })
    const usual = await failed(500, { ...before, failedAt: now - 5_000 })
    expect(usual).toMatchObject({ failingFor: 6_000 })
  })
})

describe('S14: a token that is no longer taken', () => {
  const refused = new Refused(401, 'no-session', 'Session Expired')

  test('ends the session whose it was, and the entry waits as before', async () => {
    const { after, session } = await tried(refused, { attempts: 2 })
    expect(after).toMatchObject({ state: 'waiting', attempts: 2 })
    expect(after.lease).toBeUndefined()
    expect(session).toMatchObject({ expired: true })
  })

  test('ends no session that has another', async () => {
    const db = await phoneWith([reportEntry(0, sending)])
    const [entry] = await db.outbox.toArray()
    if (!entry) throw new Error('One entry')
    const outcome = { entry, error: refused, jitter: 0, token: 'an older one' }
    await commitTurn(db, outboxModel, turnOf({ outcomes: [outcome] }))
    expect((await db.sessions.get('current'))?.expired).toBeUndefined()
  })
})

test('S15: a refusal of this phone’s own making ends an entry like the server’s', async () => {
  const { after } = await tried(new Refusal('photo-not-hosted'))
  expect(after).toMatchObject({ state: 'refused', error: { reason: 'photo-not-hosted' } })
})

test('S4: with an entry goes what names it, all the way down, and of its account alone', () => {
  const parents: [number, string[], string?][] = [
    [0, []],
    [1, ['e0']],
    [2, ['e9', 'e1']],
    [3, ['e2']],
    [4, ['e9']],
    [5, ['e0'], 'ama'],
  ]
  const unsent = parents.map(([at, after, account = 'kofi']) => reportEntry(at, { after, account }))
  const [first] = unsent
  if (!first) throw new Error('Entries')
  expect(dependantsAmong(unsent, first).map(({ id }) => id)).toEqual(['e1', 'e2', 'e3'])
})

test.each([
  ['waiting', true, true, true],
  ['sending', true, true, false],
  ['retrying', true, true, false],
  ['parked', true, false, false],
  ['refused', false, false, false],
  ['done', false, false, false],
  ['cancelled', false, false, false],
] as const)('S9: one that is %s', async (state, isUnsent, isSendable, isWaiting) => {
  const db = await phoneWith([reportEntry(0, { state })])
  expect(await hasUnsent(db)).toBe(isUnsent)
  expect(await hasSendable(db)).toBe(isSendable)
  expect(await hasWaiting(db)).toBe(isWaiting)
})

describe('S17: what a turn leases', () => {
  const leasedIn = async (entries: OutboxEntry[], more: Partial<OutboxEntry>, at = 0) => {
    const db = await phoneWith(entries)
    const chosen = await db.outbox.toArray()
    const [one] = chosen.slice(at)
    if (one) await db.outbox.update(one.seq, more)
    const result = await commitTurn(db, outboxModel, turnOf({ choose: () => chosen }))
    return { ...result, stored: await db.outbox.toArray() }
  }

  test('is written as under way, each entry of it', async () => {
    const { leased, isStale, stored } = await leasedIn(
      [reportEntry(0), reportEntry(1), reportEntry(2)],
      {},
    )
    expect(leased.map(({ entry }) => entry.id)).toEqual(['e0', 'e1', 'e2'])
    expect(stored.map(({ state }) => state)).toEqual(['sending', 'sending', 'sending'])
    expect(isStale).toBe(false)
  })

  test.each([
    ['taken back', { withdrawal: 'asked' }],
    ['cancelled', { state: 'cancelled' }],
    ['done', { state: 'done' }],
  ] as const)('leaves out what was %s meanwhile, and has the queue read anew', async (_, more) => {
    const { leased, isStale, stored } = await leasedIn([reportEntry(0), reportEntry(1)], more)
    expect(leased.map(({ entry }) => entry.id)).toEqual(['e1'])
    expect(stored[0]).toMatchObject(more)
    expect(isStale).toBe(true)
  })
})

test.each([
  ['waiting', 0, undefined],
  ['waiting', 2, true],
  ['sending', 0, true],
  ['retrying', 1, true],
] as const)(
  'S40: an entry of version 1 that is %s after %i tries',
  async (state, attempts, left) => {
    const db = await phoneWith([reportEntry(0, { v: 1, state, attempts })])
    expect(await upgradeEntries(db)).toBe(1)
    const [entry] = await db.outbox.toArray()
    expect(entry?.v).toBe(2)
    expect(entry?.left).toBe(left)
  },
)
