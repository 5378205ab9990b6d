import { Suspense, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { type Actor, isPartyTo } from '#domain/delivery.ts'
import { fullPrice } from '#domain/money.ts'
import { can } from '#domain/permissions.ts'
import { wasCreateRefused } from '#store/deliveries/project.ts'
import { room } from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../browser/attempt.ts'
import { AcceptJob } from '../../components/delivery/delivery-card.tsx'
import { isTakenByAnother, pendingOperation } from '../../components/delivery/status.tsx'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Button } from '../../components/forms/button.tsx'
import { PhotoPicker } from '../../components/forms/photo-picker.tsx'
import { lazyPart } from '../../components/page/lazy-part.tsx'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../shell/toasts.ts'
import { EnterCode } from './enter-code.tsx'

const ReportIssue = lazyPart(() => import('./report-issue.tsx'))

type Asked = { row: DeliveryRow; who: Actor | undefined }

/** What the person here may do now; each button asks the rule itself. */
export function Actions({ row, who }: Asked) {
  const { view } = row
  const { commands, db } = useSoma()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'approve' | 'cancel' | 'report'>()
  const close = () => setDialog(undefined)
  // Nobody has it: it can only be mended or discarded.
  const turnedDown = wasCreateRefused(row)
  const mayReport = who !== undefined && isPartyTo(view, who) && !turnedDown
  // A job only asked for is nobody's to pick up, whatever the rule foresees.
  const accepting = pendingOperation(row)?.op === 'acceptDelivery'
  const cancel = () =>
    update(async () => {
      await commands.cancelDelivery(row.ID)
      if (await room(db, row.ID)) return
      // It had not left this phone, so there is no delivery any more.
      toast({ title: 'Request taken back', text: 'It never left this phone.' })
      navigate(paths.send, { replace: true })
    })
  const update = (work: () => Promise<unknown>) => attempt('Error', work, 'Failed to update status')
  return (
    <div className="grid gap-3 empty:hidden">
      {can(who, 'acceptDelivery', view) && !isTakenByAnother(row) && <AcceptJob id={row.ID} />}
      {can(who, 'pickUpDelivery', view) && !accepting && (
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
      {can(who, 'attachProof', view) && !view.proofOfDelivery && <Proof row={row} />}
      <div className="grid gap-2 empty:hidden sm:grid-cols-2">
        {mayReport && (
          <Button look="line" icon="flag" onClick={() => setDialog('report')}>
            Report an issue
          </Button>
        )}
        {can(who, 'cancelDelivery', view) && !turnedDown && (
          <Button look="clay" onClick={() => setDialog('cancel')}>
            Cancel delivery
          </Button>
        )}
      </div>
      {dialog === 'approve' && (
        <Confirm
          title="Approve and release payment?"
          yes="Approve and pay"
          onYes={() => update(() => commands.approveDelivery(row.ID))}
          onClose={close}
        >
          {fullPrice(view.offer)} goes to {view.driver?.name ?? 'the driver'}. This cannot be
          undone.
        </Confirm>
      )}
      {dialog === 'cancel' && (
        <Confirm
          title="Cancel this delivery?"
          yes="Cancel delivery"
          no="Keep it"
          look="clay"
          onYes={cancel}
          onClose={close}
        >
          Drivers no longer see “{view.itemDescription}”. You can request another at any time.
        </Confirm>
      )}
      {dialog === 'report' && (
        <Suspense>
          <ReportIssue id={row.ID} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}

/** A photo of the handed-over item, if the driver wants one on record. */
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
