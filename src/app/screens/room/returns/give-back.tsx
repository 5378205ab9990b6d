import { type FormEvent, useState } from 'react'
import { maxText } from '#domain/deliveries/draft.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { TextAreaField } from '../../../components/forms/fields.tsx'
import { ReasonChoice } from '../../../components/forms/reason-choice.tsx'
import { useSessionText } from '../../../hooks/forms/use-session-text.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { releaseReasons } from '../../../texts/return-texts.ts'
import { senderOf, upperFirst } from '../../../texts/steps/step.ts'

const other = 'Something else'
const choices = [...releaseReasons, other].map((text) => [text, text] as const)

/** The form in which a driver gives an accepted job back (R101). */
export function GiveBack({ row, onClose }: { row: DeliveryRow; onClose: () => void }) {
  const { commands } = useSoma()
  const { text, type, clear } = useSessionText(`release:${row.ID}`)
  const [chosen, setChosen] = useState<string>()
  const [error, setError] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const reason = chosen === other ? text.trim() : chosen
    if (!reason) return setError(chosen ? 'Please say why.' : 'Please choose a reason.')
    const give = () => commands.releaseJob(row.ID, reason)
    if (!(await attempt('Error', give, 'Failed to update status'))) return
    clear()
    onClose()
  }
  return (
    <Dialog title="Give the job back?" onClose={onClose}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <p className="text-soft">It is on offer again, and {senderOf(row)} reads why.</p>
        <ReasonChoice
          legend="Why?"
          value={chosen}
          choices={choices}
          error={chosen ? undefined : error}
          onChange={(next) => {
            setError(undefined)
            setChosen(next)
          }}
        />
        {chosen === other && (
          <TextAreaField
            label="In your own words"
            hint={`${upperFirst(senderOf(row))} reads this.`}
            maxLength={maxText}
            value={text}
            error={error}
            onChange={(event) => {
              setError(undefined)
              type(event.target.value)
            }}
          />
        )}
        <Button type="submit" look="red">
          Give the job back
        </Button>
      </form>
    </Dialog>
  )
}
