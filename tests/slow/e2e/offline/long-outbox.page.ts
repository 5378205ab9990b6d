import { SomaDb } from '#store/soma-db.ts'
import type { EntryState } from '#sync/database/entry.ts'
import { reportEntry } from '../../../helpers/device/report-entry.ts'

/*
 * A second tab of `long-outbox.e2e.ts`: it writes the outbox as a sender does, so that what the screen itself
 * costs can be measured in the first tab.
 */

const db = new SomaDb('soma')

/** Stores so many entries of a guest that no sender touches before tomorrow. */
async function fill(count: number, state: EntryState = 'retrying'): Promise<void> {
  await db.outbox.clear()
  await db.outbox.bulkAdd(
    Array.from({ length: count }, (_, at) =>
      reportEntry(at + 1, {
        id: crypto.randomUUID(),
        account: 'guest',
        state,
        attempts: 1,
        nextAt: Date.now() + 86_400_000,
        held: true,
        occurredAt: new Date().toISOString(),
        title: `Parcel ${at + 1}`,
      }),
    ),
  )
}

/** Ends every entry, oldest first, in turns of so many, as a sender does. Resolves when none is left. */
async function endAll(atOnce: number, state: 'done' | 'refused' = 'done'): Promise<void> {
  for (;;) {
    const left = await db.outbox.where('state').equals('retrying').limit(atOnce).toArray()
    if (left.length === 0) return
    const error = { reason: 'invalid', message: 'Some of the details are not right.' } as const
    await db.outbox.bulkPut(
      left.map((entry) => ({
        ...entry,
        state,
        endedAt: Date.now(),
        unseen: 1 as const,
        error: state === 'refused' ? error : undefined,
      })),
    )
  }
}

/** How many entries' outcomes the person has not seen. */
const unseen = async (): Promise<number> =>
  (await db.outbox.toArray()).filter((entry) => entry.unseen).length

/** Lets no other tab read the outbox for so many milliseconds, as on a slow disk. Resolves once it begins. */
const holdDisk = (milliseconds: number): Promise<void> =>
  new Promise((begun) => {
    const until = Date.now() + milliseconds
    void db.transaction('rw', db.outbox, async () => {
      await db.outbox.count()
      begun()
      while (Date.now() < until) await db.outbox.count()
    })
  })

const outboxTab = { fill, endAll, unseen, holdDisk }
export type OutboxTab = typeof outboxTab
Object.assign(globalThis, { outboxTab })
