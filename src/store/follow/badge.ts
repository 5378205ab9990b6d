import { note } from '#sync/database/device/diagnostics.ts'
import { followLive } from '../queries/live/follow-live.ts'
import { needsPerson } from '../queries/needs-person.ts'
import { type OutboxSummary, outboxSummary } from '../queries/queries.ts'
import { type DeliveryUnderWay, deliveriesUnderWay } from '../queries/under-way.ts'
import type { SomaDb } from '../soma-db.ts'

/** The Badging API, which some browsers lack. */
type Badging = { setAppBadge?(count: number): Promise<void>; clearAppBadge?(): Promise<void> }

/** Counts what needs the person on the app's icon, while the app is open. Returns how to stop. */
export function followBadge(db: SomaDb): () => void {
  if (typeof navigator === 'undefined') return () => {}
  const badging = navigator as Badging
  let summary: OutboxSummary | undefined
  let underWay: DeliveryUnderWay[] | undefined
  const show = () => {
    if (!summary || !underWay) return
    const count = needsPerson(summary, underWay)
    // A browser may refuse where the app is not installed: then there is no icon to count on.
    void (count > 0 ? badging.setAppBadge?.(count) : badging.clearAppBadge?.())?.catch(() => {})
  }
  const error = (cause: unknown) => note('What needs the person is not counted', { error: cause })
  // Two queries: one that awaits several others loses track of what it reads.
  const stops = [
    followLive(() => outboxSummary(db), {
      next: (found) => {
        summary = found
        show()
      },
      error,
    }),
    followLive(() => deliveriesUnderWay(db), {
      next: (found) => {
        underWay = found
        show()
      },
      error,
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
