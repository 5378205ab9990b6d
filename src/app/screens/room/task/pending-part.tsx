import { useNavigate } from 'react-router-dom'
import type { Entry } from '#store/entries/operations.ts'
import type { DeliveryRow, PendingOperation } from '#store/rows.ts'
import { isUnsent } from '#sync/database/entry.ts'
import { isPaused, isThrottled, pendingOperation } from '../../../components/delivery/status.tsx'
import { SendAfterAll, TakeBackButton } from '../../../components/delivery/unsent/take-back.tsx'
import { WaitsForWifi } from '../../../components/delivery/unsent/waits-for-wifi.tsx'
import { ButtonLink } from '../../../components/forms/button.tsx'
import { UndoButton } from '../../../components/forms/undo-button.tsx'
import { useSecondsLeft } from '../../../hooks/time/use-seconds-left.ts'
import { useEntry } from '../../../hooks/use-entry.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { paths } from '../../../paths.ts'
import { dueTime, timeOrDate } from '../../../texts/time.ts'
import { toast } from '../../../toasts.ts'
import { RightCode } from '../scan/right-code.tsx'

const isCreate = ({ op }: PendingOperation) =>
  op === 'createDelivery' || op === 'createGuestDelivery'

/** What was done on this phone and is not confirmed: what can be done about it, and that a code was right. */
export function PendingPart({ row }: { row: DeliveryRow }) {
  return (
    <>
      <RightCode row={row} />
      <Pending row={row} />
    </>
  )
}

function Pending({ row }: { row: DeliveryRow }) {
  const { expired } = useVisitor()
  const navigate = useNavigate()
  // What was asked for after a request that is not sent yet depends on it.
  const pending =
    row.marks.find((mark) => isCreate(mark) && isUnsent(mark)) ?? pendingOperation(row)
  const found = useEntry(pending?.entry)
  if (!pending || !found) return null
  // A proved hand-over has happened: there is nothing to take back (R110).
  if (pending.proved && !expired && !isThrottled(pending)) return null
  const { entry, cancellation } = found
  const forgotten = () => {
    if (!isCreate(pending)) return
    void navigate(paths.send, { replace: true })
    toast({ title: 'Cancelled before sending.' })
  }
  return (
    <div className="grid gap-2">
      {isCreate(pending) && <WaitsForWifi />}
      {isThrottled(pending) && (
        <p className="text-sm">Too many tries. It is sent again at {timeOrDate(entry.nextAt)}.</p>
      )}
      {isPaused(pending) && (
        <p className="text-sm">
          No new requests until {dueTime(entry.nextAt)}. Yours goes by itself then.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {expired && <ButtonLink to={paths.auth}>Login</ButtonLink>}
        {!pending.proved && !cancellation && <WayBack entry={entry} onForgotten={forgotten} />}
        {entry.withdrawal === 'unknown' && <SendAfterAll entry={entry} />}
      </div>
    </div>
  )
}

/** For ten seconds without a question, then with one (R99). */
function WayBack(props: { entry: Entry; onForgotten: () => void }) {
  const left = useSecondsLeft(props.entry)
  return left > 0 ? <UndoButton entry={props.entry} /> : <TakeBackButton {...props} />
}
