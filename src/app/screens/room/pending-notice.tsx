import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { isUnsent } from '#store/outbox/entry.ts'
import { type EntryInFull, entryInFull } from '#store/queries/outbox.ts'
import type { DeliveryRow, PendingOperation } from '#store/rows.ts'
import { attempt } from '../../browser/attempt.ts'
import { EditAndResend } from '../../components/delivery/edit-and-resend.tsx'
import { LostActions, lostTexts } from '../../components/delivery/lost.tsx'
import {
  isThrottled,
  pendingOperation,
  refusedOperation,
} from '../../components/delivery/status.tsx'
import { SendAfterAll, TakeBackButton } from '../../components/delivery/take-back.tsx'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Button, ButtonLink } from '../../components/forms/button.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { useLive } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths } from '../../paths.ts'
import { entryTitle } from '../../texts/outbox-texts.ts'

const isCreate = ({ op }: PendingOperation) =>
  op === 'createDelivery' || op === 'createGuestDelivery'

const isUnsentCreate = (mark: PendingOperation) => isCreate(mark) && isUnsent(mark)

/** What was lost first: what depends on it goes with it. */
const isLost = ({ state, error }: PendingOperation): boolean =>
  state === 'refused' && error?.reason === 'lost' && error.because === undefined

/** Notices on a refused operation and on one that is not sent yet. */
export function PendingNotice({ row }: { row: DeliveryRow }) {
  const lost = row.marks.find(isLost)
  const refused = lost ? undefined : refusedOperation(row)
  // What was asked for after a request that is not sent yet depends on it.
  const pending = row.marks.find(isUnsentCreate) ?? pendingOperation(row)
  return (
    <div role="status" className="grid gap-4 empty:hidden">
      {lost && <LostNotice row={row} mark={lost} />}
      {refused && <RefusedNotice row={row} mark={refused} />}
      {pending && <WaitingNotice mark={pending} />}
    </div>
  )
}

const texts: Partial<Record<PendingOperation['op'], { title: string; text: string }>> = {
  acceptDelivery: {
    title: 'Requesting…',
    text: 'The job is yours only once the server says so. It is asked as soon as there is a connection.',
  },
  pickUpDelivery: {
    title: 'Picked up, saved on this phone',
    text: 'The sender hears of it as soon as there is a connection.',
  },
  completeDelivery: {
    title: 'Code saved, will be checked when you are back online',
    text: 'Keep the item in sight of the recipient until the code has been checked, or ask them to wait for it.',
  },
  approveDelivery: {
    title: 'Approval saved on this phone',
    text: 'The payment is released as soon as there is a connection.',
  },
  cancelDelivery: {
    title: 'Cancelling…',
    text: 'A driver may still accept until the server has heard of it.',
  },
}

const request = {
  title: 'Waiting on this phone',
  text: 'Your request is saved here and goes out by itself as soon as there is a connection. You can close the app.',
}

function WaitingNotice({ mark }: { mark: PendingOperation }) {
  const { expired } = useVisitor()
  const notice = isCreate(mark) ? request : texts[mark.op]
  const found = useLive((db) => entryInFull(db, mark.entry), [mark.entry])
  if (found && (found.entry.takingBack || found.cancellation))
    return <TakingBackNotice {...found} />
  if (!notice) return null
  const sending = found?.entry.state === 'sending' && isCreate(mark)
  if (isThrottled(mark)) return <ThrottledNotice mark={mark} />
  return (
    <Notice title={sending ? 'Sending your request…' : notice.title}>
      <p className="text-sm">{expired ? 'Sign in again, and it is sent.' : notice.text}</p>
      <div className="flex flex-wrap gap-2">
        {expired && <ButtonLink to={paths.auth}>Login</ButtonLink>}
        <ButtonLink look="edge" to={paths.outbox}>
          Open Outbox
        </ButtonLink>
        {/* A request has a button of its own among the delivery's actions. */}
        {found && !isCreate(mark) && <TakeBackButton entry={found.entry} />}
      </div>
    </Notice>
  )
}

/** It may have arrived, and the person takes it back (S56). */
function TakingBackNotice({ entry, cancellation }: EntryInFull) {
  return (
    <Notice title="Asking whether it arrived…">
      <p className="text-sm">
        {cancellation
          ? 'Your request may have arrived. If it did, it is cancelled there.'
          : `“${entryTitle(entry)}” is not sent again. We ask as soon as there is a connection.`}
      </p>
      <div className="flex flex-wrap gap-2">
        <SendAfterAll entry={entry} cancellation={cancellation} />
      </div>
    </Notice>
  )
}

function ThrottledNotice({ mark }: { mark: PendingOperation }) {
  return (
    <Notice title="Not yet: too many tries">
      <p className="text-sm">
        {mark.error?.message} It is saved on this phone and asked again by itself.
      </p>
      <ButtonLink look="edge" to={paths.outbox} className="justify-self-start">
        Open Outbox
      </ButtonLink>
    </Notice>
  )
}

/** A restored server has forgotten the request, or what was done to it (S54). */
function LostNotice({ row, mark }: { row: DeliveryRow; mark: PendingOperation }) {
  const navigate = useNavigate()
  const { itemDescription } = row.view
  return (
    <Notice tone="red" title={lostTexts.title}>
      <p className="text-sm">{lostTexts.text}</p>
      <div className="flex flex-wrap gap-2">
        <LostActions
          entry={mark.entry}
          title={entryTitle({ op: mark.op, title: itemDescription })}
          onDiscarded={() => isCreate(mark) && navigate(paths.send, { replace: true })}
        />
      </div>
    </Notice>
  )
}

function RefusedNotice({ row, mark }: { row: DeliveryRow; mark: PendingOperation }) {
  const { commands } = useSoma()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const create = isCreate(mark)
  const discard = () =>
    attempt('Error', async () => {
      await commands.discard(mark.entry)
      if (create) navigate(paths.send, { replace: true })
    })
  return (
    <Notice tone="red" title={create ? 'Your request was not taken' : 'Not done'}>
      <p>{mark.error?.message}</p>
      <div className="flex flex-wrap gap-2">
        {create && <EditAndResend {...mark} />}
        {mark.op === 'acceptDelivery' && (
          <ButtonLink to={paths.drive} onClick={() => void discard()}>
            Find another
          </ButtonLink>
        )}
        {create ? (
          <Button look="red" onClick={() => setAsking(true)}>
            Discard
          </Button>
        ) : (
          <Button look="edge" onClick={discard}>
            Dismiss
          </Button>
        )}
      </div>
      {asking && (
        <Confirm
          title="Discard this request?"
          yes="Discard"
          look="red"
          onYes={discard}
          onClose={() => setAsking(false)}
        >
          “{row.view.itemDescription}” was never taken by the server. Discarding deletes it here.
        </Confirm>
      )}
    </Notice>
  )
}
