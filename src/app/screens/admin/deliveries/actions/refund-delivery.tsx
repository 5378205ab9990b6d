import { useState } from 'react'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { partOf } from '#domain/deliveries/payment.ts'
import { parseAmount, shortPrice, toCedis, toPesewas } from '#domain/money.ts'
import { TextField } from '../../../../components/forms/fields.tsx'
import { useSoma } from '../../../../hooks/use-soma.ts'
import { refundReasons } from './office-texts.ts'
import { ReasonDialog } from './reason-dialog.tsx'

/** Gives the driver's part back to the sender, or a part of it, while its payout waits (R228). */
export function RefundDelivery({ view, onClose }: { view: Delivery; onClose: () => void }) {
  const { commands } = useSoma()
  const most = toCedis(partOf(view))
  const [typed, setTyped] = useState(String(most))
  const amount = parseAmount(typed)
  const isPossible = amount !== undefined && amount > 0 && amount <= most
  const all = amount !== undefined && toPesewas(amount) === partOf(view)
  return (
    <ReasonDialog
      name={`refund:${view.ID}`}
      title="Refund the sender?"
      yes="Refund"
      reasons={refundReasons}
      isReady={isPossible}
      onYes={(reason) => commands.refundDelivery(view.ID, all ? undefined : amount, reason)}
      onClose={onClose}
    >
      <p>It is taken from the driver's payout, which has not been sent yet.</p>
      <TextField
        label="Amount in cedis"
        inputMode="decimal"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        hint={`At most ${shortPrice(most)}.`}
        error={isPossible ? undefined : `An amount up to ${shortPrice(most)}`}
      />
    </ReasonDialog>
  )
}
