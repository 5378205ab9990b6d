import { type FormEvent, useState } from 'react'
import { maxText } from '#domain/deliveries/draft.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { TextAreaField } from '../../../components/forms/fields.tsx'
import { HelpLine } from '../../../components/page/help.tsx'
import { useSessionText } from '../../../hooks/forms/use-session-text.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { driverOf, upperFirst } from '../../../texts/steps/step.ts'

type Props = { row: DeliveryRow; onClose: () => void }

/** The form in which a sender says that the driver has not picked the item up (R125). */
export default function ContestPickUp({ row, onClose }: Props) {
  const { commands } = useSoma()
  const { text, type, clear } = useSessionText(`contest:${row.ID}`)
  const [error, setError] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return setError('Please say what happened.')
    const report = () => commands.contestPickUp(row.ID, text)
    if (!(await attempt('Error', report, 'Failed to update status'))) return
    clear()
    onClose()
  }
  return (
    <Dialog title="Not picked up?" onClose={onClose}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <p className="text-soft">
          {upperFirst(driverOf(row))} marked it as picked up. If you still have it, support decides
          about the payment, and you can request a new delivery.
        </p>
        <TextAreaField
          label="What happened?"
          maxLength={maxText}
          value={text}
          error={error}
          onChange={(event) => {
            setError(undefined)
            type(event.target.value)
          }}
        />
        <Button type="submit" look="red">
          It was not picked up
        </Button>
        <HelpLine />
      </form>
    </Dialog>
  )
}
