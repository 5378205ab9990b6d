import { useState } from 'react'
import { product } from '#domain/product.ts'
import { type SyncStatus, syncStatus } from '#store/queries/queries.ts'
import { attempt } from '../../browser/attempt.ts'
import { Button } from '../../components/forms/button.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { useLive } from '../../hooks/use-live.ts'
import { useNow } from '../../hooks/use-now.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { timeAgo } from '../../texts/time.ts'

/** How it stands with the way to the server, and what can be done by hand. `unsent`: how many items wait. */
export function Summary({ unsent }: { unsent: number }) {
  const status = useLive(syncStatus)
  const now = useNow(30_000)
  if (!status) return null
  const { reachable, lastSyncAt, today } = status
  return (
    <>
      <DiskSpaceNotice status={status} now={now} />
      <div className="card flex flex-wrap items-center justify-between gap-3">
        <div className="grid gap-0.5 text-sm text-soft" role="status">
          <strong className="text-base text-ink">
            {reachable === false ? 'Offline' : reachable ? 'Connected' : 'Not tried yet'}
          </strong>
          <span>Last sync: {lastSyncAt ? timeAgo(lastSyncAt, now) : 'never on this phone'}</span>
          <span>
            Data used today: {size(today.up)} sent, {size(today.down)} received
          </span>
        </div>
        <div className="flex flex-wrap gap-2">
          <RetryButton />
          {unsent > 0 && <ExportButton />}
        </div>
      </div>
    </>
  )
}

function RetryButton() {
  const { engine } = useSoma()
  const [busy, setBusy] = useState(false)
  const tryNow = async () => {
    setBusy(true)
    // The list below shows how it went.
    await engine.wake().catch(() => {})
    setBusy(false)
  }
  return (
    <Button look="line" icon="retry" tight disabled={busy} onClick={tryNow}>
      {busy ? 'Trying…' : 'Try now'}
    </Button>
  )
}

/** For whoever must give their phone away, or show what they did: everything unsent in one file. */
function ExportButton() {
  const { unsentFile } = useSoma()
  const save = () =>
    attempt('Error', async () => {
      const now = Date.now()
      const url = URL.createObjectURL(await unsentFile())
      const link = document.createElement('a')
      link.href = url
      link.download = `${product.toLowerCase()}-unsent-${new Date(now).toISOString().slice(0, 10)}.json`
      link.click()
      // The browser reads it after the click has returned.
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    })
  return (
    <Button look="line" icon="down" tight onClick={save}>
      Save as a file
    </Button>
  )
}

const aDay = 86_400_000

/** The phone was full; said for a day, or as long as it is. */
function DiskSpaceNotice({ status: { room }, now }: { status: SyncStatus; now: number }) {
  if (!room || now - room.at > aDay) return null
  return room.room === 'none' ? (
    <Notice tone="clay" title="This phone has no room left">
      <p className="text-sm">
        What you saved is safe, but nothing new can be kept. Delete some photos or apps you do not
        need.
      </p>
    </Notice>
  ) : (
    <Notice title="This phone was full">
      <p className="text-sm">
        Lists that can be fetched again were deleted to make room. Nothing unsent was touched.
      </p>
    </Notice>
  )
}

/** Bytes as people read them: `212 kB`. */
const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
