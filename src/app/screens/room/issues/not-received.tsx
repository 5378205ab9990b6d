import { useState } from 'react'
import type { Actor } from '#domain/deliveries/delivery.ts'
import { objectionEnd } from '#domain/deliveries/endings/direct-payment.ts'
import { can } from '#operations/rules.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Confirm } from '../../../components/dialogs/confirm.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'
import { driverPaidText } from '../../../texts/paid-texts.ts'
import { senderOf } from '../../../texts/steps/step.ts'
import { dueTime } from '../../../texts/time.ts'

/** For a day the driver can say that what the sender says they paid did not arrive (R171). */
export function NotReceived({ row, who }: { row: DeliveryRow; who: Actor | undefined }) {
  const { commands } = useSoma()
  const [asking, setAsking] = useState(false)
  const end = objectionEnd(row.view)
  if (end === undefined || Date.now() > end || !can(who, 'reportUnpaid', row.view)) return null
  const sender = senderOf(row)
  return (
    <div className="grid gap-1.5">
      <Button look="red" icon="flag" onClick={() => setAsking(true)}>
        Not received
      </Button>
      <p className="text-sm text-soft">You can say so until {dueTime(end)}.</p>
      {asking && (
        <Confirm
          title="Not received?"
          yes="Not received"
          look="red"
          onYes={() => attempt('Error', () => commands.reportUnpaid(row.ID))}
          onClose={() => setAsking(false)}
        >
          {driverPaidText(row.view, sender)}. Check your messages and your balance first. Support
          then looks into it, and you and {sender} can call each other again.
        </Confirm>
      )}
    </div>
  )
}
