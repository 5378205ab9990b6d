import { useState } from 'react'
import { type Actor, isDriverOf, isSenderOf } from '#domain/deliveries/delivery.ts'
import { isApprovedDriver } from '#domain/users/user.ts'
import { can } from '#operations/rules.ts'
import { uncheckedCode, wasCreateRefused } from '#store/deliveries/project.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { AcceptJob } from '../../../components/delivery/actions/accept-job.tsx'
import { ConfirmApprove } from '../../../components/delivery/actions/approve.tsx'
import { RaiseOffer } from '../../../components/delivery/actions/raise-offer.tsx'
import { Contact } from '../../../components/delivery/contact.tsx'
import { LessFee } from '../../../components/delivery/less-fee.tsx'
import {
  isTakenByAnother,
  pendingOperation,
  refusedOperation,
  StatusTag,
} from '../../../components/delivery/status.tsx'
import { canSendAgain, SendAgain } from '../../../components/delivery/unsent/send-again.tsx'
import { useUnsentText } from '../../../components/delivery/unsent/use-unsent-text.ts'
import { Button, ButtonLink } from '../../../components/forms/button.tsx'
import { MainAction } from '../../../components/page/main-action.tsx'
import { useNow } from '../../../hooks/time/use-now.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { paths } from '../../../paths.ts'
import { type NextStep, nextStep } from '../../../texts/next-step.ts'
import { NotReceived } from '../issues/not-received.tsx'
import { nextStopOf, StopList } from '../parties/places.tsx'
import { PaymentPart } from '../payment/payment-part.tsx'
import { CannotDeliver } from '../returns/cannot-deliver.tsx'
import { ReturnPart } from '../returns/return-part.tsx'
import { isGivingBack } from '../returns/use-leave-given-back.ts'
import { EnterCode } from './enter-code.tsx'
import { PendingPart } from './pending-part.tsx'
import { RefusedPart } from './refused-part.tsx'
import { useNextInView } from './use-next-in-view.ts'

type Props = { row: DeliveryRow; who: Actor | undefined }

/** What this person is to the delivery. */
export function roleOf(row: DeliveryRow, who: Actor | undefined): 'sender' | 'driver' | undefined {
  const { view } = row
  if (!who) return undefined
  // The job is theirs until the server has taken it back.
  if (isGivingBack(row)) return 'driver'
  if (isSenderOf(view, who)) return 'sender'
  return 'user' in who && isDriverOf(view, who.user) ? 'driver' : undefined
}

/** What to do next about the delivery, or what is being waited for. Its main action sticks to the bottom. */
export function Task({ row, who }: Props) {
  const as = roleOf(row, who)
  // What is said next may change as time passes.
  useNow(30_000)
  const isOffer = as === undefined && can(who, 'acceptDelivery', row.view)
  // Whose accept was refused is no driver of the job, and reads why.
  const wasRefused = row.marks.some((m) => m.op === 'acceptDelivery' && m.state === 'refused')
  const step = as ? nextStep(row, as) : wasRefused ? nextStep(row, 'driver') : undefined
  const said = useUnsentText(row)
  const stop = nextStopOf(row.view, who)
  // Its button is the last one: what undoes it stands there too.
  const isReturn = pendingOperation(row)?.op === 'startReturn'
  const { heading, ...acted } = useNextInView(`${row.view.status} ${uncheckedCode(row)?.entry}`)
  return (
    <section aria-label="Next step" className="card grid gap-3" role="status" {...acted}>
      <span className="justify-self-start">
        <StatusTag row={row} />
      </span>
      {step ? (
        <div className="grid gap-0.5">
          <h2 ref={heading} tabIndex={-1} className="text-xl outline-none">
            {said(step.title)}
          </h2>
          {step.text && !step.isAtField && <p className="text-soft">{said(step.text)}</p>}
        </div>
      ) : (
        isOffer && <h2 className="text-xl">Open for drivers</h2>
      )}
      {isOffer && <LessFee of={row.view} />}
      {stop && <StopList stops={[stop]} heading="h3" />}
      {!isReturn && <PendingPart row={row} />}
      <RefusedPart row={row} />
      {as && <Contact row={row} as={as} />}
      <NotReceived row={row} who={who} />
      <PaymentPart row={row} who={who} />
      <Main row={row} who={who} step={step} />
      <CannotDeliver row={row} who={who} />
      {isReturn && <PendingPart row={row} />}
    </section>
  )
}

/** The main action; `can` decides on each (R24 to R28). */
function Main({ row, who, step }: Props & { step: NextStep | undefined }) {
  const { commands } = useSoma()
  const { view } = row
  const pending = pendingOperation(row)
  if (wasCreateRefused(row) || isGivingBack(row)) return null
  if (can(who, 'acceptDelivery', view) && !isTakenByAnother(row))
    return (
      <MainAction>
        <AcceptJob id={row.ID} className="min-h-14 w-full text-lg" />
      </MainAction>
    )
  // `can` already sees an unconfirmed accept as accepted, but the job may still go to another driver.
  if (pending?.op === 'acceptDelivery') return null
  if (step?.action === 'raise')
    return (
      <MainAction>
        <RaiseOffer row={row} className="min-h-14 w-full text-lg" />
      </MainAction>
    )
  if (can(who, 'pickUpDelivery', view)) return <PickUp row={row} />
  if (can(who, 'completeDelivery', view)) return <EnterCode row={row} />
  if (can(who, 'confirmReturn', view)) return <ReturnPart row={row} />
  if (can(who, 'approveDelivery', view)) return <Approve row={row} />
  if (canSendAgain(row))
    return (
      <MainAction>
        <SendAgain row={row} className="min-h-14 w-full text-lg" />
      </MainAction>
    )
  const isDriver = who !== undefined && 'user' in who && isApprovedDriver(who.user)
  const isFree = isDriver && roleOf(row, who) !== 'sender' && !pending
  const isTaken = isTakenByAnother(row)
  const dismiss = () => {
    const refused = isTaken && refusedOperation(row)
    if (refused) void attempt('Error', () => commands.discard(refused.entry))
  }
  return isFree && (isTaken || !['Accepted', 'Picked Up'].includes(view.status)) ? (
    <MainAction>
      <ButtonLink to={paths.drive} className="min-h-14 w-full text-lg" onClick={dismiss}>
        Find next job
      </ButtonLink>
    </MainAction>
  ) : null
}

function PickUp({ row }: { row: DeliveryRow }) {
  const { commands } = useSoma()
  const [isBusy, setBusy] = useState(false)
  const pickUp = async () => {
    setBusy(true)
    await attempt('Error', () => commands.pickUpDelivery(row.ID), 'Failed to update status')
    setBusy(false)
  }
  return (
    <MainAction>
      <Button icon="box" className="min-h-14 w-full text-lg" disabled={isBusy} onClick={pickUp}>
        Mark as Picked Up
      </Button>
    </MainAction>
  )
}

function Approve({ row }: { row: DeliveryRow }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <MainAction>
        <Button icon="check" className="min-h-14 w-full text-lg" onClick={() => setAsking(true)}>
          Confirm and pay
        </Button>
      </MainAction>
      {asking && <ConfirmApprove row={row} onClose={() => setAsking(false)} />}
    </>
  )
}
