import { useState } from 'react'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { Side } from '#domain/deliveries/dispute.ts'
import { maxText } from '#domain/deliveries/draft.ts'
import { attempt } from '../../../../browser/attempt.ts'
import { Confirm } from '../../../../components/dialogs/confirm.tsx'
import { TextAreaField } from '../../../../components/forms/fields.tsx'
import { ReasonChoice } from '../../../../components/forms/reasons/reason-choice.tsx'
import { useSessionText } from '../../../../hooks/forms/use-session-text.ts'
import { useSoma } from '../../../../hooks/use-soma.ts'

/** Opens a dispute for the side that called (R195). */
export function ReportFor({ view, onClose }: { view: Delivery; onClose: () => void }) {
  const { commands } = useSoma()
  const { text, type, clear } = useSessionText(`report:${view.ID}`)
  const sides: [Side, string][] = [
    ['sender', 'The sender'],
    ...(view.driver ? [['driver', 'The driver'] as [Side, string]] : []),
  ]
  const [side, setSide] = useState<Side>()
  const report = async () => {
    if (side && (await attempt('Error', () => commands.reportFor(view.ID, side, text)))) clear()
  }
  return (
    <Confirm
      title="Open a dispute?"
      yes="Open dispute"
      isReady={side !== undefined && text.trim() !== ''}
      onYes={report}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <ReasonChoice legend="Who reports it?" value={side} choices={sides} onChange={setSide} />
        <TextAreaField
          label="What happened?"
          hint="That side reads it, and the answer."
          maxLength={maxText}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
      </div>
    </Confirm>
  )
}
