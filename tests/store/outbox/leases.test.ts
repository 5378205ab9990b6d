import { describe, expect, test } from 'vitest'
import { Unreachable } from '#contract/errors.ts'
import { outboxProduct } from '#store/deliveries/outbox-product.ts'
import { retryNow } from '#store/outbox/backoff.ts'
import { entryOf } from '#store/outbox/enqueue.ts'
import type { OutboxEntry } from '#store/outbox/entry.ts'
import { isLeasedElsewhere, leased, unleased } from '#store/outbox/lease.ts'
import { recordOutcomes } from '#store/outbox/record-outcomes.ts'
import { WriteBatch } from '#store/outbox/write-batch.ts'
import { createDevice } from '../../helpers/device/device.ts'

const entry = (more: Partial<OutboxEntry> = {}): OutboxEntry => ({
  ...entryOf<OutboxEntry>({
    id: 'e1',
    account: 'ama',
    op: 'cancelDelivery',
    lane: 'd1',
    input: { id: 'd1' },
    title: 'Laptop',
    occurredAt: '2026-11-21T10:00:00.000Z',
  }),
  seq: 1,
  ...more,
})
const holder = { id: 'tab', now: 1_000_000, isAlone: false }
const returned = (before: OutboxEntry) =>
  unleased({ entry: leased(before, holder), before, credentials: { id: 'd1' } })

describe('S40: an entry that was leased and not sent', () => {
  test('waits as before, as one that never left; while it is leased it may have', () => {
    expect(leased(entry(), holder)).toMatchObject({ state: 'sending', left: true })
    expect(returned(entry())).toMatchObject({ state: 'waiting', left: undefined, lease: undefined })
  })

  test.each([
    ['a killed sender had leased', { state: 'sending', lease: { holder: 'gone', until: 1 } }],
    ['had no answer before', { state: 'retrying', left: true }],
  ] as const)('may have arrived where %s it', (_, about) => {
    expect(returned(entry(about))).toMatchObject({
      state: 'retrying',
      left: true,
      lease: undefined,
    })
  })
})

describe('S17: without a lock, an entry that another sender leased', () => {
  const by = (id: string, until: number) => ({ lease: { holder: id, until } })
  test.each([
    ['is left alone until the lease ends', by('other', 1_000_001), true],
    ['is free from then on', by('other', 1_000_000), false],
    ['is free where the clock was set back since', by('other', 9_000_000), false],
    ['is free to who leased it', by('tab', 1_000_001), false],
    ['is free where none did', {}, false],
  ])('%s', (_, about, isTaken) => {
    expect(isLeasedElsewhere(entry(about), holder)).toBe(isTaken)
    expect(isLeasedElsewhere(entry(about), { ...holder, isAlone: true })).toBe(false)
  })

  test('outlives every time limit of a call', () => {
    const taken = leased(entry(), holder)
    expect(isLeasedElsewhere(taken, { ...holder, id: 'other', now: holder.now + 180_000 })).toBe(
      true,
    )
  })
})

test('S13: a new network hurries what waits, but not what the server named a time for', async () => {
  const { db } = createDevice()
  const waiting = { state: 'retrying', nextAt: 5_000_000 } as const
  await db.outbox.bulkAdd([
    entry({ ...waiting, id: 'e1', seq: 1 }),
    entry({ ...waiting, id: 'e2', seq: 2, held: true }),
    entry({ id: 'e3', seq: 3, state: 'parked', nextAt: 5_000_000 }),
  ] as never[])
  await retryNow(db)
  const all = await db.outbox.orderBy('seq').toArray()
  expect(all.map(({ nextAt }) => nextAt)).toEqual([0, 5_000_000, 5_000_000])
})

describe('S12, S16: an entry whose try failed', () => {
  /** The entry after a try that ended so, at `now`. */
  async function failed(before: OutboxEntry, error: unknown, now = 1_000_000) {
    const { db } = createDevice()
    const batch = new WriteBatch()
    const outcome = { entry: before, error, jitter: 0.5 }
    const when = { now, wallClock: 7 }
    await recordOutcomes({ db, product: outboxProduct, batch }, [outcome], [before], when)
    return batch.changed[0] as OutboxEntry
  }
  const down = new Unreachable('Down', { status: 500 })

  test('waits longer with every try, and may have arrived after the first', async () => {
    const first = await failed(entry(), new Unreachable('No answer'))
    expect(first).toMatchObject({ state: 'retrying', attempts: 1, left: true, nextAt: 1_000_500 })
    expect(first).toMatchObject({ failures: 0, held: false, error: { reason: 'unavailable' } })
    const fifth = await failed(entry({ attempts: 4 }), new Unreachable('No answer'))
    expect(fifth).toMatchObject({ attempts: 5, nextAt: 1_008_000 })
  })

  test('waits as long as the server says, and counts no failure', async () => {
    const busy = new Unreachable('Busy', { status: 503, retryAfter: 2_000 })
    const wait = { nextAt: 1_002_000, held: true, failures: 0, error: { reason: 'unavailable' } }
    expect(await failed(entry(), busy)).toMatchObject(wait)
    const patience = new Unreachable('Slowly', { status: 429, retryAfter: 2_000 })
    expect(await failed(entry(), patience)).toMatchObject({ error: { reason: 'too-many' } })
  })

  const failing = { failures: 7, failedAt: 1_000_000 - 60_000, left: true }
  test('is parked for a day, and shown, once failures have gone on for an hour', async () => {
    const parked = await failed(entry({ ...failing, failingFor: 59 * 60_000 }), down)
    expect(parked).toMatchObject({ state: 'parked', unseen: 1, held: true })
    expect(parked.nextAt).toBe(1_000_000 + 24 * 3_600_000)
  })

  test.each([
    ['after less than an hour', { ...failing, failingFor: 59 * 60_000 - 1 }],
    ['after few failures', { ...failing, failures: 6, failingFor: 3_600_000 }],
    ['after a day in which it was not tried', { ...failing, failedAt: -86_400_000, failingFor: 0 }],
    ['where the clock was set back meanwhile', { ...failing, failedAt: 9e9, failingFor: 60_000 }],
  ])('is not parked %s', async (_, about) => {
    const next = await failed(entry(about), down)
    expect(next).toMatchObject({ state: 'retrying', failures: about.failures + 1 })
    expect(next.failingFor).toBeGreaterThanOrEqual(about.failingFor)
    expect(next.failedAt).toBe(1_000_000)
  })
})
