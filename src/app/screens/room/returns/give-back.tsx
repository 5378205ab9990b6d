import { type FormEvent, useState } from 'react'
import { maxText } from '#domain/deliveries/draft.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { ReasonField, useReason } from '../../../components/forms/reasons/reason-field.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'
import { releaseReasons } from '../../../texts/return-texts.ts'
import { senderOf, upperFirst } from '../../../texts/steps/step.ts'

/** The form in which a driver gives an accepted job back (R101). */
export function GiveBack({ row, onClose }: { row: DeliveryRow; onClose: () => void }) {
  const { commands } = useSoma()
  const why = useReason(`release:${row.ID}`)
  const [error, setError] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!why.reason) return setError(why.chosen ? 'Please say why.' : 'Please choose a reason.')
    const give = () => commands.releaseJob(row.ID, why.reason)
    if (!(await attempt('Error', give, 'Failed to update status'))) return
    why.clear()
    onClose()
  }
  return (
    <Dialog title="Give the job back?" onClose={onClose}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <p className="text-soft">It is on offer again, and {senderOf(row)} reads why.</p>
        <ReasonField
          of={why}
          legend="Why?"
          reasons={releaseReasons}
          hint={`${upperFirst(senderOf(row))} reads this.`}
          maxLength={maxText}
          error={error}
          onChange={() => setError(undefined)}
        />
        <Button type="submit" look="red">
          Give the job back
        </Button>
      </form>
    </Dialog>
  )
}
