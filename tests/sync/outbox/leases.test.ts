import { describe, expect, test } from 'vitest'
import type { OutboxEntry } from '#sync/database/entry.ts'
import { retryNow } from '#sync/outbox/backoff.ts'
import { entryOf } from '#sync/outbox/enqueue.ts'
import { isLeasedElsewhere, leased, unleased } from '#sync/outbox/lease.ts'
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
