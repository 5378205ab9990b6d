import { useState } from 'react'
import { type Delivery, isPartyTo } from '#domain/deliveries/delivery.ts'
import { can } from '#operations/rules.ts'
import { attempt } from '../../../../browser/attempt.ts'
import { Confirm } from '../../../../components/dialogs/confirm.tsx'
import { Button } from '../../../../components/forms/button.tsx'
import { useSoma } from '../../../../hooks/use-soma.ts'
import { useVisitor } from '../../../../hooks/use-visitor.ts'
import { CancelDelivery } from '../cancel-delivery.tsx'
import { ChangeDriver } from './change-driver.tsx'
import { CorrectDelivery } from './correct-delivery.tsx'
import { approvalReasons } from './office-texts.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { RefundDelivery } from './refund-delivery.tsx'
import { ReportFor } from './report-for.tsx'

type Asked = 'driver' | 'correct' | 'approve' | 'refund' | 'code' | 'report' | 'cancel'

/** What the office can do for a caller now (R191 to R196, R27). */
export function OfficeActions({ view }: { view: Delivery }) {
  const { commands } = useSoma()
  const { user } = useVisitor()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const actor = user && { user }
  const isOwn = actor !== undefined && isPartyTo(view, actor)
  const isOpen = ['Pending', 'Accepted', 'Picked Up'].includes(view.status)
  const button = (what: Asked, text: string, isThere: boolean) =>
    isThere && (
      <Button look={what === 'cancel' ? 'red' : 'line'} onClick={() => setAsked(what)}>
        {text}
      </Button>
    )
  return (
    <section className="grid gap-2 sm:grid-cols-2" aria-label="Actions">
      {button(
        'driver',
        view.driver ? 'Change driver' : 'Give to a driver',
        can(actor, 'assignDriver', view),
      )}
      {button('correct', 'Correct', can(actor, 'correctDelivery', view))}
      {button('code', 'Send code by SMS', !isOwn && isOpen && !view.codeLocked)}
      {button('approve', 'Approve for sender', can(actor, 'approveForSender', view))}
      {button('refund', 'Refund', can(actor, 'refundDelivery', view))}
      {button('report', 'Open dispute', !isOwn)}
      {button('cancel', 'Cancel delivery', can(actor, 'cancelDelivery', view))}
      {asked === 'driver' && <ChangeDriver view={view} onClose={close} />}
      {asked === 'correct' && <CorrectDelivery view={view} onClose={close} />}
      {asked === 'refund' && <RefundDelivery view={view} onClose={close} />}
      {asked === 'report' && <ReportFor view={view} onClose={close} />}
      {asked === 'cancel' && <CancelDelivery view={view} onClose={close} />}
      {asked === 'approve' && (
        <ReasonDialog
          name={`approve:${view.ID}`}
          title="Approve for the sender?"
          yes="Approve"
          reasons={approvalReasons}
          onYes={(reason) => commands.approveForSender(view.ID, reason)}
          onClose={close}
        >
          <p>It is approved at once, and the driver's payout waits.</p>
        </ReasonDialog>
      )}
      {asked === 'code' && (
        <Confirm
          title="Send the code by SMS?"
          yes="Send code"
          onYes={() => attempt('Error', () => commands.sendCode(view.ID))}
          onClose={close}
        >
          It goes to the sender's number, if they have confirmed it. It is never read out to a
          driver.
        </Confirm>
      )}
    </section>
  )
}
