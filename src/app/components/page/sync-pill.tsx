import { outboxSummary, syncStatus } from '#store/queries/queries.ts'
import { useLive, useOwn } from '../../hooks/use-live.ts'
import { useProgress } from '../../hooks/use-progress.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths } from '../../paths.ts'
import { syncPillText } from '../../texts/sync-pill-text.ts'
import { Link } from '../forms/link.tsx'

const looks = {
  gold: { pill: 'bg-gold-wash text-ink', dot: 'bg-gold' },
  red: { pill: 'bg-red-wash text-red', dot: 'bg-red' },
  green: { pill: 'bg-green-wash text-green', dot: 'bg-green [animation:beat_1.2s_infinite]' },
}

const anHour = 3_600_000

/**
 * The sync state in every header, such as `Offline · 2 waiting` (S29). Empty while there is nothing to
 * report.
 */
export function SyncPill() {
  const status = useLive(syncStatus)
  const summary = useOwn(outboxSummary)
  const progress = useProgress()
  const { expired } = useVisitor()
  const full = status?.eviction?.room === 'none' && Date.now() - status.eviction.at < anHour
  const pill =
    status && summary ? syncPillText(status.reachable, summary, expired, full, progress) : null
  return (
    <div role="status" className="ml-auto">
      {pill && (
        <Link to={paths.outbox} className="flex min-h-12 items-center" title="Open Outbox">
          <span
            className={`flex items-center gap-1 rounded-full px-2 py-1.5 text-xs font-bold tracking-tight leading-tight ${looks[pill.tone].pill}`}
          >
            <span
              aria-hidden="true"
              className={`size-2 shrink-0 rounded-full ${looks[pill.tone].dot}`}
            />
            {pill.text}
          </span>
        </Link>
      )}
    </div>
  )
}
