import { Suspense, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { type Actor, isPartyTo } from '#domain/deliveries/delivery.ts'
import { can } from '#domain/deliveries/permissions.ts'
import { fullPrice } from '#domain/money.ts'
import { wasCreateRefused } from '#store/deliveries/project.ts'
import { isUnsent } from '#store/outbox/entry.ts'
import { entryInFull } from '#store/queries/outbox.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../browser/attempt.ts'
import { AcceptJob } from '../../components/delivery/delivery-card.tsx'
import { isTakenByAnother, pendingOperation } from '../../components/delivery/status.tsx'
import { TakeBackButton } from '../../components/delivery/take-back.tsx'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Button } from '../../components/forms/button.tsx'
import { PhotoPicker } from '../../components/forms/photo-picker.tsx'
import { lazyPart } from '../../components/page/lazy-part.tsx'
import { useLive } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../shell/toasts.ts'
import { EnterCode } from './enter-code.tsx'

const ReportIssue = lazyPart(() => import('./report-issue.tsx'))

type Props = { row: DeliveryRow; who: Actor | undefined }
type DialogName = 'approve' | 'cancel' | 'report'

/** The person's possible actions; `can` decides on each (R24 to R28). */
export function Actions({ row, who }: Props) {
  const { view } = row
  const { commands } = useSoma()
  const [dialog, setDialog] = useState<DialogName>()
  // `can` already sees an unconfirmed accept as accepted, but the job may still go to another driver.
  const isAccepting = pendingOperation(row)?.op === 'acceptDelivery'
  return (
    <div className="grid gap-3 empty:hidden">
      {can(who, 'acceptDelivery', view) && !isTakenByAnother(row) && <AcceptJob id={row.ID} />}
      {can(who, 'pickUpDelivery', view) && !isAccepting && (
        <Button icon="box" onClick={() => update(() => commands.pickUpDelivery(row.ID))}>
          Mark as Picked Up
        </Button>
      )}
      {can(who, 'completeDelivery', view) && <EnterCode row={row} />}
      {can(who, 'approveDelivery', view) && (
        <Button icon="check" className="min-h-14 text-lg" onClick={() => setDialog('approve')}>
          Approve Delivery
        </Button>
      )}
      {canAddProof(row, who) && <Proof row={row} />}
      <LesserActions row={row} who={who} onOpen={setDialog} />
      <ActionDialog row={row} name={dialog} onClose={() => setDialog(undefined)} />
    </div>
  )
}

/** Once the payment is released nobody needs one any more. */
const canAddProof = ({ view }: DeliveryRow, who: Props['who']) =>
  can(who, 'attachProof', view) && !view.proofOfDelivery && view.status !== 'Approved'

const update = (work: () => Promise<unknown>) => attempt('Error', work, 'Failed to update status')

function LesserActions({ row, who, onOpen }: Props & { onOpen: (name: DialogName) => void }) {
  // A refused request can only be edited or discarded.
  const isRefused = wasCreateRefused(row)
  return (
    <div className="grid gap-2 empty:hidden sm:grid-cols-2">
      {who !== undefined && isPartyTo(row.view, who) && !isRefused && (
        <Button look="line" icon="flag" onClick={() => onOpen('report')}>
          Report an issue
        </Button>
      )}
      {can(who, 'cancelDelivery', row.view) && !isRefused && row.known && (
        <Button look="red" onClick={() => onOpen('cancel')}>
          Cancel delivery
        </Button>
      )}
      {!row.known && !isRefused && <TakeBackRequest row={row} />}
    </div>
  )
}

/** Of a request that the server does not know yet, as far as this phone knows (R27). */
function TakeBackRequest({ row }: { row: DeliveryRow }) {
  const navigate = useNavigate()
  const create = row.marks.find(
    ({ op, state }) =>
      (op === 'createDelivery' || op === 'createGuestDelivery') && isUnsent({ state }),
  )
  const found = useLive(async (db) => create && entryInFull(db, create.entry), [create?.entry])
  if (!found || found.cancellation) return null
  const leave = () => {
    toast({ title: 'Request taken back', text: 'It never left this phone.' })
    navigate(paths.send, { replace: true })
  }
  return <TakeBackButton entry={found.entry} onForgotten={leave} />
}

type DialogProps = { row: DeliveryRow; onClose: () => void }

function ActionDialog({ row, name, onClose }: DialogProps & { name: DialogName | undefined }) {
  if (name === 'approve') return <ConfirmApprove row={row} onClose={onClose} />
  if (name === 'cancel') return <ConfirmCancel row={row} onClose={onClose} />
  if (name === undefined) return null
  return (
    <Suspense>
      <ReportIssue id={row.ID} onClose={onClose} />
    </Suspense>
  )
}

function ConfirmApprove({ row: { ID, view }, onClose }: DialogProps) {
  const { commands } = useSoma()
  return (
    <Confirm
      title="Approve and release payment?"
      yes="Approve and pay"
      onYes={() => update(() => commands.approveDelivery(ID))}
      onClose={onClose}
    >
      {fullPrice(view.offer)} goes to {view.driver?.name ?? 'the driver'}. This cannot be undone.
    </Confirm>
  )
}

function ConfirmCancel({ row: { ID, view }, onClose }: DialogProps) {
  const { commands } = useSoma()
  return (
    <Confirm
      title="Cancel this delivery?"
      yes="Cancel delivery"
      no="Keep it"
      look="red"
      onYes={() => update(() => commands.cancelDelivery(ID))}
      onClose={onClose}
    >
      Drivers no longer see “{view.itemDescription}”. You can request another at any time.
    </Confirm>
  )
}

/** The driver's optional photo of the handed-over item (R28). */
function Proof({ row }: { row: DeliveryRow }) {
  const { commands } = useSoma()
  const waiting = row.marks.some((mark) => mark.op === 'attachProof' && mark.state !== 'refused')
  if (waiting)
    return <p className="text-sm text-soft">Proof photo saved on this phone, not sent yet.</p>
  return (
    <div className="card">
      <PhotoPicker
        label="Proof of delivery (optional)"
        hint="A photo of the item where you handed it over."
        onPhoto={async ({ bytes, type }) =>
          commands.attachProof(row.ID, await commands.keepPhoto(bytes, type))
        }
      />
    </div>
  )
}
