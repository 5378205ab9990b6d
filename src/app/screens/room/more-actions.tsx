import { Suspense, useState } from 'react'
import { type Actor, isPartyTo } from '#domain/deliveries/delivery.ts'
import { maxReason } from '#domain/deliveries/draft.ts'
import { isDirect, isUnpaid } from '#domain/deliveries/payment.ts'
import { fullPrice } from '#domain/money.ts'
import { can } from '#operations/rules.ts'
import { wasCreateRefused } from '#store/deliveries/project.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../browser/attempt.ts'
import { RaiseOffer } from '../../components/delivery/actions/raise-offer.tsx'
import { pendingOperation } from '../../components/delivery/status.tsx'
import { useUnsentText } from '../../components/delivery/unsent/use-unsent-text.ts'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Button } from '../../components/forms/button.tsx'
import { PhotoPicker } from '../../components/forms/photo-picker.tsx'
import { ReasonField, useReason } from '../../components/forms/reasons/reason-field.tsx'
import { lazyPart } from '../../components/page/lazy-part.tsx'
import { useSoma } from '../../hooks/use-soma.ts'
import { nextStep, waitsForSignal } from '../../texts/next-step.ts'
import { cancelReasons } from '../../texts/return-texts.ts'
import { driverOf, lowerFirst, upperFirst } from '../../texts/steps/step.ts'
import { GiveBack } from './returns/give-back.tsx'

const ReportIssue = lazyPart(() => import('./issues/report-issue.tsx'))
const ContestPickUp = lazyPart(() => import('./issues/contest-pick-up.tsx'))

type Props = { row: DeliveryRow; who: Actor | undefined }

/** What a person does more rarely; `can` decides on each (R27, R28, R32). */
export function MoreActions({ row, who }: Props) {
  const [dialog, setDialog] = useState<'cancel' | 'report' | 'give back' | 'contest'>()
  const close = () => setDialog(undefined)
  // Nobody can look into what was never sent, nor into a job that is not theirs yet.
  const isSent =
    row.known && !wasCreateRefused(row) && pendingOperation(row)?.op !== 'acceptDelivery'
  return (
    <div className="grid gap-3 empty:hidden">
      {canAddProof(row, who) && <Proof row={row} />}
      <div className="grid gap-2 empty:hidden sm:grid-cols-2 md:grid-cols-1">
        {can(who, 'raiseOffer', row.view) &&
          !wasCreateRefused(row) &&
          nextStep(row, 'sender').action !== 'raise' && <RaiseOffer row={row} look="line" />}
        {who !== undefined && isPartyTo(row.view, who) && isSent && (
          <Button look="line" icon="flag" onClick={() => setDialog('report')}>
            Report an issue
          </Button>
        )}
        {can(who, 'contestPickUp', row.view) && isSent && (
          <Button look="line" icon="flag" onClick={() => setDialog('contest')}>
            Not picked up?
          </Button>
        )}
        {can(who, 'releaseJob', row.view) && isSent && (
          <Button look="red" onClick={() => setDialog('give back')}>
            Give the job back
          </Button>
        )}
        {can(who, 'cancelDelivery', row.view) && isSent && (
          <Button look="red" onClick={() => setDialog('cancel')}>
            Cancel delivery
          </Button>
        )}
      </div>
      {dialog === 'cancel' && <ConfirmCancel row={row} onClose={close} />}
      {dialog === 'give back' && <GiveBack row={row} onClose={close} />}
      {dialog === 'contest' && (
        <Suspense>
          <ContestPickUp row={row} onClose={close} />
        </Suspense>
      )}
      {dialog === 'report' && (
        <Suspense>
          <ReportIssue id={row.ID} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}

/** Once it is approved nobody needs one any more, nor of a parcel that comes back. */
const canAddProof = ({ view }: DeliveryRow, who: Props['who']) =>
  can(who, 'attachProof', view) &&
  !view.proofOfDelivery &&
  !view.returning &&
  view.status !== 'Approved'

function ConfirmCancel({ row, onClose }: { row: DeliveryRow; onClose: () => void }) {
  const { commands } = useSoma()
  const { ID, view } = row
  const why = useReason(`cancel:${ID}`)
  const cancel = async () => {
    const work = () => commands.cancelDelivery(ID, why.reason)
    if (await attempt('Error', work, 'Failed to update status')) why.clear()
  }
  return (
    <Confirm
      title="Cancel this delivery?"
      yes="Cancel delivery"
      no="Keep it"
      look="red"
      onYes={cancel}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <p>{cancelText(row)}</p>
        <ReasonField
          of={why}
          legend="Why? (optional)"
          reasons={cancelReasons}
          hint={view.driver ? `${upperFirst(driverOf(row))} reads this.` : 'Support reads this.'}
          maxLength={maxReason}
        />
      </div>
    </Confirm>
  )
}

/** What a cancel brings about. */
function cancelText(row: DeliveryRow): string {
  const { view } = row
  if (view.driver)
    return `${driverOf(row)} is told not to come. ${isDirect(view) ? 'You owe nothing' : `${fullPrice(view.offer)} comes back to you`} once their phone has confirmed.`
  if (isUnpaid(view))
    return 'Nothing was paid. If you approve the prompt after all, the money comes back to you.'
  const back = isDirect(view) ? '' : ` ${fullPrice(view.offer)} comes back to you.`
  return `Drivers no longer see “${view.itemDescription}”.${back} You can request another at any time.`
}

/** The driver's optional photo of the handed-over item (R28). */
function Proof({ row }: { row: DeliveryRow }) {
  const { commands } = useSoma()
  const said = useUnsentText(row)
  const waiting = row.marks.some((mark) => mark.op === 'attachProof' && mark.state !== 'refused')
  if (waiting)
    return <p className="text-sm text-soft">{said(`Photo ${lowerFirst(waitsForSignal)}`)}</p>
  return (
    <div className="card">
      <PhotoPicker
        label="Proof of delivery (optional)"
        hint="A photo of the item where you handed it over."
        onPhoto={async ({ bytes, type }) =>
          commands.attachProof(row.ID, await commands.savePhoto(bytes, type))
        }
      />
    </div>
  )
}
