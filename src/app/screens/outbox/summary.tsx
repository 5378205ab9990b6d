import { useState } from 'react'
import { outboxSummary, progressFrom, type SyncStatus } from '#store/queries/queries.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { WaitsForWifi } from '../../components/delivery/unsent/waits-for-wifi.tsx'
import { Button } from '../../components/forms/button.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { useNow } from '../../hooks/time/use-now.ts'
import { useOwn } from '../../hooks/use-live.ts'
import { useProgress } from '../../hooks/use-progress.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { timeAgo } from '../../texts/time.ts'
import { ExportButton } from './export-button.tsx'
import { More } from './more.tsx'

/** The connection, the traffic, and the buttons to retry and export. */
export function Summary({ status, hasOwn }: { status: SyncStatus; hasOwn: boolean }) {
  const now = useNow(30_000)
  const { reachable, lastSyncAt, today } = status
  return (
    <>
      <DiskSpaceNotice status={status} now={now} />
      {hasOwn && <WaitsForWifi />}
      <div className="card flex flex-wrap items-center justify-between gap-3">
        <div className="grid gap-0.5 text-sm text-soft" role="status">
          <strong className="text-base text-ink">
            {reachable === false ? 'Offline' : reachable ? 'Connected' : 'Connecting…'}
          </strong>
          <span>{lastSyncAt ? `Updated ${timeAgo(lastSyncAt, now)}` : 'Not updated yet'}</span>
          <span>
            Data used today: {size(today.up)} sent, {size(today.down)} received
          </span>
        </div>
        {reachable && <SendProgress />}
        <div className="flex flex-wrap gap-2">
          <RetryButton />
          {hasOwn && (
            <More about="the outbox">
              <ExportButton />
            </More>
          )}
        </div>
      </div>
    </>
  )
}

/** The progress of sending, shown from a certain queue length on. */
function SendProgress() {
  const progress = useProgress()
  const sending = useOwn(outboxSummary)?.sending ?? 0
  if (!progress || progress.total < progressFrom || sending === 0) return null
  const { done, total } = progress
  return (
    <div className="grid w-full gap-1">
      <span className="text-sm font-semibold" aria-hidden="true">
        Sending: {done} of {total}
      </span>
      <progress
        aria-label="Sending"
        value={done}
        max={total}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-gold [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-gold"
      />
    </div>
  )
}

function RetryButton() {
  const { engine } = useSoma()
  const [busy, setBusy] = useState(false)
  const tryNow = async () => {
    setBusy(true)
    // The list below shows the result, and the engine notes a failure.
    await engine.wake().catch((error: unknown) => note('A round by hand failed', { error }))
    setBusy(false)
  }
  return (
    <Button look="line" icon="retry" tight disabled={busy} onClick={tryNow}>
      {busy ? 'Trying…' : 'Retry'}
    </Button>
  )
}

const aDay = 86_400_000

/** Says for a day that storage was full, or that it still is. */
function DiskSpaceNotice({ status: { eviction }, now }: { status: SyncStatus; now: number }) {
  if (!eviction || now - eviction.at > aDay) return null
  return eviction.room === 'none' ? (
    <Notice tone="red" title="This phone has no room left">
      <p className="text-sm">
        What you saved is safe, but nothing new fits. Delete some photos or apps you do not need.
      </p>
    </Notice>
  ) : (
    <Notice title="This phone was full">
      <p className="text-sm">
        Lists that load again were deleted to make room. Nothing unsent was touched.
      </p>
    </Notice>
  )
}

/** Bytes as text: `212 kB`. */
const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
