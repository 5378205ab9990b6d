import { describe, expect, test } from 'vitest'
import { Refusal } from '#domain/errors.ts'
import { outboxModel } from '#store/deliveries/outbox-model.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { OutboxEntry } from '#sync/database/entry.ts'
import { readQueueAfter, readQueueStart } from '#sync/outbox/queue.ts'
import { commitTurn } from '#sync/outbox/turn.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'
import { reportEntry } from '../../helpers/device/report-entry.ts'

const holder = { id: 'tab', now: 1_000_000, isAlone: true }

/** A phone of Kofi's with these entries; their `seq` begins at 1. */
async function phoneWith(entries: OutboxEntry[]): Promise<SomaDb> {
  const { db } = createDevice()
  await db.open()
  await signIn(db, person('kofi', 'driver'))
  await db.outbox.bulkAdd(entries as never[])
  return db
}

const turn = {
  outcomes: [],
  returned: [],
  knownUpTo: undefined,
  holder,
  wallClock: 1_000_000,
  choose: () => [],
}

describe('S2: the queue is read in parts, each entry once and in order', () => {
  test.each([0, 1, 399, 400, 401, 1_000])('%i entries', async (count) => {
    const db = await phoneWith(Array.from({ length: count }, (_, at) => reportEntry(at)))
    const parts = [await readQueueStart(db, ['kofi'])]
    for (let last = parts.at(-1); last && !last.isComplete; last = parts.at(-1))
      parts.push(await readQueueAfter(db, last.knownUpTo))
    const seqs = parts.flatMap(({ entries }) => entries.map(({ seq }) => seq))
    expect(seqs).toEqual(Array.from({ length: count }, (_, at) => at + 1))
    expect(Math.max(...parts.map(({ entries }) => entries.length))).toBeLessThanOrEqual(400)
  })

  test('from the first that is unsent, though what was sent stands before it', async () => {
    const db = await phoneWith([reportEntry(0, { state: 'done' }), reportEntry(1), reportEntry(2)])
    const { entries } = await readQueueStart(db, ['kofi'])
    expect(entries.map(({ id }) => id)).toEqual(['e1', 'e2'])
  })
})

test('S2: an entry made after a look at a queue with nothing unsent is in its next part', async () => {
  const db = await phoneWith([reportEntry(0, { state: 'done' })])
  const { entries, knownUpTo } = await readQueueStart(db, ['kofi'])
  expect(entries).toEqual([])
  await db.outbox.add(reportEntry(1) as never)
  expect((await readQueueAfter(db, knownUpTo)).entries).toMatchObject([{ id: 'e1' }])
})

describe('S17: one turn of a sender', () => {
  test('S8: brings no entry of another account', async () => {
    const db = await phoneWith([reportEntry(0, { account: 'ama' }), reportEntry(1)])
    const seen: string[] = []
    await commitTurn(db, outboxModel, {
      ...turn,
      choose: ({ added }) => {
        seen.push(...added.map(({ id }) => id))
        return []
      },
    })
    expect(seen).toEqual(['e1'])
  })

  test('leaves an entry as it is that was taken back while it was leased, sent or not', async () => {
    const sending = { state: 'sending', lease: { holder: 'tab', until: 2_000_000 } } as const
    const db = await phoneWith([0, 1, 2].map((at) => reportEntry(at, sending)))
    const [gone, unsent, sent] = await db.outbox.toArray()
    if (!gone || !unsent || !sent) throw new Error('Three entries')
    await db.outbox.update(unsent.seq, { state: 'cancelled' })
    await db.outbox.update(sent.seq, { state: 'cancelled' })
    await db.outbox.delete(gone.seq)
    const reply = { rows: [], staleLists: [], bytes: 0 }
    await commitTurn(db, outboxModel, {
      ...turn,
      outcomes: [gone, sent].map((each) => ({ entry: each as never, reply })),
      returned: [{ entry: unsent, before: unsent, credentials: { id: 'd1' } }],
    })
    expect(await db.outbox.toArray()).toMatchObject([
      { id: 'e1', state: 'cancelled' },
      { id: 'e2', state: 'cancelled' },
    ])
  })

  test('S15: what the server has done is not refused with what it waited for', async () => {
    const sending = { state: 'sending', lease: { holder: 'tab', until: 2_000_000 } } as const
    const db = await phoneWith([
      reportEntry(0, sending),
      reportEntry(1, { ...sending, after: ['e0'] }),
    ])
    const [parent, child] = await db.outbox.toArray()
    if (!parent || !child) throw new Error('Two entries')
    const done = { entry: child, reply: { rows: [], staleLists: [], bytes: 0 } }
    const refused = { entry: parent, error: new Refusal('invalid', 'Too long'), jitter: 0 }
    await commitTurn(db, outboxModel, { ...turn, outcomes: [done, refused] })
    expect(await db.outbox.toArray()).toMatchObject([{ state: 'refused' }, { state: 'done' }])
  })
})
