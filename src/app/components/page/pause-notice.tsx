import { pausedUntil } from '#store/queries/config/office.ts'
import { useNow } from '../../hooks/time/use-now.ts'
import { useLive } from '../../hooks/use-live.ts'
import { dueTime } from '../../texts/time.ts'
import { Notice } from '../text/notice.tsx'

const minute = 60_000

/** Says until when no requests are taken (R205), offline too. Nothing while they are. */
export function PauseNotice({ children }: { children: string }) {
  const now = useNow(minute / 2)
  const until = useLive(pausedUntil, now - (now % minute))
  if (!until) return null
  return (
    <Notice title={`No new requests until ${dueTime(until, now)}`}>
      <p className="text-sm">{children}</p>
    </Notice>
  )
}
