import { useState } from 'react'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { maxReason } from '#domain/deliveries/draft.ts'
import { isDirect, isUnpaid } from '#domain/deliveries/payment.ts'
import { idEndOf, referenceOf } from '#domain/deliveries/reference.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Confirm } from '../../../components/dialogs/confirm.tsx'
import { ReasonField, useReason } from '../../../components/forms/reasons/reason-field.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'
import { officeCancelReasons } from '../../../texts/return-texts.ts'

/** Cancels a delivery for both sides once its reference was typed: this cannot be undone (R27). Both read why (R161). */
export function CancelDelivery({ view, onClose }: { view: Delivery; onClose: () => void }) {
  const { commands } = useSoma()
  const [typed, setTyped] = useState('')
  const reference = referenceOf(view.ID)
  const why = useReason(`cancel:${view.ID}`)
  const cancel = async () => {
    const work = () => commands.cancelDelivery(view.ID, why.reason)
    if (await attempt('Error', work, 'Failed to update status')) why.clear()
  }
  return (
    <Confirm
      title="Cancel this delivery?"
      yes="Cancel delivery"
      no="Keep it"
      look="red"
      isReady={isSame(typed, reference) && why.reason !== ''}
      onYes={cancel}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>
          {view.itemDescription} is cancelled for both sides, and {owed(view)}. This cannot be
          undone.
        </p>
        <ReasonField
          of={why}
          legend="Why?"
          reasons={officeCancelReasons}
          hint="Both sides read this."
          maxLength={maxReason}
        />
        <label className="grid gap-1">
          <span>
            Type <strong className="text-ink">{reference.slice(-4)}</strong> to confirm
          </span>
          <input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            maxLength={12}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            className="min-h-12 w-40 rounded-control border-[1.5px] border-edge bg-card px-3.5 font-mono text-lg text-ink uppercase"
          />
        </label>
      </div>
    </Confirm>
  )
}

/** What becomes of the money. */
function owed(view: Delivery): string {
  if (isDirect(view)) return 'the sender owes nothing'
  return isUnpaid(view)
    ? 'nothing was paid: what is still paid goes back'
    : 'the money goes back to the sender'
}

/** The four signs, or the whole reference; read as a spoken reference is. */
function isSame(typed: string, reference: string): boolean {
  const signs = typed.trim().replace(/^soma[-\s]?/i, '')
  const end = idEndOf(`SOMA-${signs}`)
  if (end !== undefined) return end === idEndOf(reference)
  return `SOMA-${signs.toUpperCase()}` === reference
}
