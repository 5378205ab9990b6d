import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { DeliveryRow, PendingOperation } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { isTakenByAnother } from '../../../components/delivery/status.tsx'
import { EditAndResend } from '../../../components/delivery/unsent/edit-and-resend.tsx'
import { LostActions, lostTexts } from '../../../components/delivery/unsent/lost.tsx'
import { Confirm } from '../../../components/dialogs/confirm.tsx'
import { Button, ButtonLink } from '../../../components/forms/button.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'
import { paths } from '../../../paths.ts'
import { entryTitle } from '../../../texts/outbox-texts.ts'

const isCreate = ({ op }: PendingOperation) =>
  op === 'createDelivery' || op === 'createGuestDelivery'

/** A lost entry comes first: entries that depend on it share its outcome (S54). */
const isLost = ({ state, error }: PendingOperation): boolean =>
  state === 'refused' && error?.reason === 'lost' && error.because === undefined

/** What can be done about a refused operation. A wrong code is shown at its field. */
export function RefusedPart({ row }: { row: DeliveryRow }) {
  const lost = row.marks.find(isLost)
  if (lost) return <Lost row={row} mark={lost} />
  const refused = row.marks.findLast(({ state }) => state === 'refused')
  const isAtField = refused?.op === 'completeDelivery' && row.view.status !== 'Cancelled'
  if (!refused || isAtField) return null
  return <Refused row={row} mark={refused} />
}

type Props = { row: DeliveryRow; mark: PendingOperation }

function Lost({ row, mark }: Props) {
  const navigate = useNavigate()
  return (
    <div className="grid gap-2">
      <p className="text-sm">{lostTexts.text}</p>
      <div className="flex flex-wrap gap-2">
        <LostActions
          entry={mark.entry}
          title={entryTitle({ op: mark.op, title: row.view.itemDescription })}
          onDiscarded={() => isCreate(mark) && navigate(paths.send, { replace: true })}
        />
      </div>
    </div>
  )
}

function Refused({ row, mark }: Props) {
  const { commands } = useSoma()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const discard = () =>
    attempt('Error', async () => {
      await commands.discard(mark.entry)
      if (isCreate(mark)) navigate(paths.send, { replace: true })
    })
  if (mark.op === 'acceptDelivery')
    // Of a job that is gone, the main action leads on.
    return isTakenByAnother(row) ? null : (
      <ButtonLink to={paths.drive} className="justify-self-start" onClick={() => void discard()}>
        Find next job
      </ButtonLink>
    )
  if (!isCreate(mark))
    return (
      <Button look="edge" className="justify-self-start" onClick={discard}>
        Dismiss
      </Button>
    )
  return (
    <div className="flex flex-wrap gap-2">
      <EditAndResend {...mark} />
      <Button look="red" onClick={() => setAsking(true)}>
        Discard
      </Button>
      {asking && (
        <Confirm
          title="Discard this request?"
          yes="Discard"
          look="red"
          onYes={discard}
          onClose={() => setAsking(false)}
        >
          “{row.view.itemDescription}” is deleted from this phone.
        </Confirm>
      )}
    </div>
  )
}
