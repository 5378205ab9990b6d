import type { OutboxEntry } from '#sync/database/entry.ts'
import { entryOf } from '#sync/outbox/enqueue.ts'

/** A driver's report, queued by Kofi: the n-th, in a lane of its own. */
export const reportEntry = (at: number, more: Partial<OutboxEntry> = {}): OutboxEntry => ({
  ...entryOf<OutboxEntry>({
    id: `e${at}`,
    account: 'kofi',
    op: 'reportIssue',
    lane: `d${at}`,
    input: { id: `d${at}`, issue: 'Late', type: 'driver_issue' },
    title: 'Laptop',
    occurredAt: '2026-11-21T10:00:00.000Z',
  }),
  ...more,
})
