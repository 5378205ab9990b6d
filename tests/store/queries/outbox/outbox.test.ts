import { countCosts } from '../../../helpers/device/costs.ts'
import { present } from '../../../helpers/present.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Reason } from '#domain/errors.ts'
import type { Entry } from '#store/entries/operations.ts'
import { isReplacedBy } from '#store/entries/replaced.ts'
import {
  activeUploads,
  entriesWithParents,
  outboxLists,
  outcomes,
  replacedEntries,
} from '#store/queries/outbox/outbox.ts'
import { hasNews, outboxProgress, outboxSummary } from '#store/queries/queries.ts'
import { SomaDb } from '#store/soma-db.ts'
import { type EntryState, entryVersion } from '#sync/database/entry.ts'

/* What the outbox screen reads: keys of all entries, and of those in view the rest. */

let db: SomaDb
let seq = 0

beforeEach(async () => {
  seq = 0
  db = new SomaDb(`outbox-${Math.random()}`)
  await db.open()
})
afterEach(() => db.delete())

const entry = (state: EntryState, more: Partial<Entry> = {}): Entry => ({
  seq: ++seq,
  id: `e${seq}`,
  account: 'guest',
  op: 'completeDelivery',
  v: entryVersion,
  lane: `lane ${seq}`,
  after: [],
  photos: [],
  input: { id: 'd', code: '12345' },
  attempts: 0,
  failures: 0,
  nextAt: 0,
  occurredAt: '2026-11-21T10:00:00.000Z',
  title: 'Laptop',
  state,
  ...more,
})

const store = async (...entries: Entry[]) => {
  await db.outbox.bulkAdd(entries)
  return entries
}

describe('S28: the lists of the outbox', () => {
  it('what waits is oldest first, what was refused and the history newest first', async () => {
    await store(
      entry('waiting'),
      entry('refused'),
      entry('done'),
      entry('sending'),
      entry('cancelled'),
      entry('refused'),
      entry('retrying'),
      entry('waiting', { account: 'somebody else' }),
    )
    expect(await outboxLists(db)).toEqual({
      waiting: [1, 4, 7],
      refused: [6, 2],
      history: [5, 3],
    })
  })

  it('entries come with the unsent ones they wait for, and without those that have ended', async () => {
    const [photo, sent] = await store(
      entry('retrying', { op: 'uploadPhoto' }),
      entry('done', { op: 'uploadPhoto' }),
    )
    await store(entry('waiting', { after: [photo?.id ?? '', sent?.id ?? ''] }))
    const found = await entriesWithParents(db, [3, 99])
    expect(found.entries.map(({ id }) => id)).toEqual(['e3'])
    expect(found.parents.map(({ id }) => id)).toEqual(['e1'])
  })
})

describe('S28: a photo and its request are one item', () => {
  it.each([0, 1, 60, 2_000])('of %i requests, in whatever state', async (count) => {
    const states: EntryState[] = ['waiting', 'retrying', 'parked', 'refused', 'done', 'cancelled']
    const made = Array.from({ length: count }, (_, at) => {
      const state = states[at % states.length] ?? 'waiting'
      return [
        entry(state === 'done' ? 'done' : state, { op: 'uploadPhoto', isPart: 1 }),
        entry(state === 'retrying' ? 'waiting' : state),
      ]
    })
    await store(...made.flat())
    const { waiting, refused, history } = await outboxLists(db)
    expect(waiting.length + refused.length + history.length).toBe(count)
    const { unsent, refused: toFix } = await outboxSummary(db)
    expect([unsent, toFix]).toEqual([waiting.length, refused.length])
  })

  it('the photo that goes up counts as sending, and the progress counts requests', async () => {
    const pair = () => [
      entry('sending', { op: 'uploadPhoto', isPart: 1 as const }),
      entry('waiting'),
    ]
    await store(...Array.from({ length: 7 }, pair).flat())
    expect(await outboxSummary(db)).toMatchObject({ unsent: 7, sending: 7 })
    expect(await outboxProgress(db)).toMatchObject({ done: 0, total: 7 })
  })
})

describe('S29: the counts in the header', () => {
  it('each state is counted for this person and the guest, and nobody else', async () => {
    await store(
      entry('waiting'),
      entry('sending'),
      entry('retrying'),
      entry('parked'),
      entry('refused'),
      entry('done'),
      entry('waiting', { account: 'somebody else' }),
    )
    expect(await outboxSummary(db)).toEqual({
      unsent: 4,
      sending: 1,
      refused: 1,
      declined: 0,
      quarantined: 0,
    })
  })

  it('what was refused for good is told from what can be fixed', async () => {
    const refused = (reason: Reason, more: Partial<Entry> = {}) =>
      entry('refused', { error: { reason, message: '' }, ...more })
    await store(
      refused('taken', { op: 'acceptDelivery' }),
      refused('wrong-status', { op: 'pickUpDelivery' }),
      refused('wrong-status', { op: 'createDelivery' }),
      refused('wrong-status', { op: 'uploadPhoto', isPart: 1 }),
      refused('wrong-code'),
      refused('lost'),
      refused('taken', { account: 'somebody else' }),
    )
    expect(await outboxSummary(db)).toMatchObject({ refused: 5, declined: 2 })
  })

  it('of many refusals none is read', async () => {
    const error = { reason: 'taken', message: '' } as const
    await store(...Array.from({ length: 2_000 }, () => entry('refused', { error })))
    const costs = countCosts()
    expect(await outboxSummary(db)).toMatchObject({ refused: 2_000, declined: 0 })
    expect(costs().rowsRead).toBeLessThan(10)
    vi.restoreAllMocks()
  })
})

describe('S29: how far what waits has come', () => {
  const end = (at: number, state: EntryState) => db.outbox.update(at, { state })

  it('counts what ended since the queue was last empty, in whichever way, and never falls', async () => {
    await store(entry('done'), entry('refused'))
    await store(...Array.from({ length: 8 }, () => entry('waiting')))
    await store(entry('waiting', { account: 'somebody else' }))
    const first = await outboxProgress(db)
    expect(first).toEqual({ from: 3, done: 0, total: 8 })
    let last = { done: 0, total: 8 }
    const ends: EntryState[] = ['done', 'refused', 'cancelled', 'sending', 'done', 'done', 'done']
    for (const [at, state] of ends.entries()) {
      await end(3 + at, state)
      if (at === 4) await store(entry('waiting'))
      const now = present(await outboxProgress(db, first?.from))
      expect(now.done).toBeGreaterThanOrEqual(last.done)
      expect(now.total).toBeGreaterThanOrEqual(last.total)
      expect(now.done).toBeLessThan(now.total)
      last = now
    }
    expect(last).toEqual({ from: 3, done: 6, total: 9 })
  })

  it('says nothing once nothing is unsent, and begins again afterwards', async () => {
    await store(entry('done'), entry('done'))
    expect(await outboxProgress(db, 1)).toBeNull()
    await store(entry('waiting'))
    expect(await outboxProgress(db)).toEqual({ from: 3, done: 0, total: 1 })
  })
})

describe('R81: outcomes that were not seen', () => {
  it('come oldest first and at most a hundred at a time, however many there are', async () => {
    expect(await hasNews(db)).toBe(false)
    await store(
      ...Array.from({ length: 250 }, (_, at) => entry('done', { unseen: 1, endedAt: at })),
    )
    expect(await hasNews(db)).toBe(true)
    const first = await outcomes(db)
    expect(first.map(({ endedAt }) => endedAt)).toEqual(Array.from({ length: 100 }, (_, at) => at))
  })

  it('only photos that are on their way have a toast, and none while offline', async () => {
    const photo = { op: 'uploadPhoto' } as const
    await store(entry('sending', photo), entry('sending'), entry('waiting', photo))
    expect(await activeUploads(db)).toEqual(['e1'])
    await db.meta.put({ key: 'reachable', value: false })
    expect(await activeUploads(db)).toEqual([])
  })
})

describe('S28: a cancelled entry that a later one replaced', () => {
  const isReplaced = (one: Entry, others: Entry[]) => isReplacedBy(others)(one)

  it('a wrong code is replaced by the next code', async () => {
    const lane = 'd'
    const wrong = entry('cancelled', { lane })
    const right = entry('done', { lane })
    expect(isReplaced(wrong, [right, wrong])).toBe(true)
    expect(isReplaced(right, [right, wrong])).toBe(false)
    expect(isReplaced(wrong, [wrong])).toBe(false)
    expect(isReplaced(wrong, [wrong, entry('done', { lane: 'another' })])).toBe(false)
    expect(isReplaced(entry('cancelled', { lane }), [right])).toBe(false)
    await store(wrong, right)
    expect([...(await replacedEntries(db))]).toEqual([wrong.seq])
  })

  it('a request is replaced by the same request with another key', async () => {
    const old = entry('cancelled', { lane: 'old', photos: ['p'] })
    const anew = entry('done', { lane: 'new', photos: ['p'] })
    expect(isReplaced(old, [anew, old])).toBe(true)
    expect(isReplaced(old, [entry('done', { lane: 'new', photos: ['q'] }), old])).toBe(false)
    await store(old, anew)
    expect([...(await replacedEntries(db))]).toEqual([old.seq])
  })

  it('another operation, or another account’s, replaces nothing', async () => {
    const lane = 'd'
    const cancelled = entry('cancelled', { lane })
    const others = [
      entry('done', { lane, op: 'reportIssue' }),
      entry('done', { lane, account: 'u' }),
    ]
    expect(isReplaced(cancelled, others)).toBe(false)
    await store(cancelled, ...others)
    expect((await replacedEntries(db)).size).toBe(0)
  })
})
