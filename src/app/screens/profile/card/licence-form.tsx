import { hasExpired, isDay, type Licence } from '#domain/users/licence.ts'
import type { CardChange } from '#store/queries/account/driver-card.ts'
import { Button } from '../../../components/forms/button.tsx'
import { TextField } from '../../../components/forms/fields.tsx'
import { useForm } from '../../../hooks/forms/use-form.ts'

type Props = {
  licence: Licence | undefined
  onSave: (card: CardChange) => Promise<boolean>
  onClose: () => void
}

function dayProblem(expires: string): string | undefined {
  if (!isDay(expires)) return 'Enter the last day it is valid.'
  const isOver = hasExpired({ number: '', expires }, new Date().toISOString())
  return isOver ? 'This day is over. Enter the licence that is valid now.' : undefined
}

/** The courier licence: its number and its last day, or neither (R114). */
export function LicenceForm({ licence, onSave, onClose }: Props) {
  const start = { number: licence?.number ?? '', expires: licence?.expires ?? '' }
  const { values, bind, submit, busy, form } = useForm(start, ({ number, expires }) => ({
    number: number.trim() === '' ? 'Enter the licence number.' : undefined,
    expires: dayProblem(expires),
  }))
  const store = async (number: string, expires: string) =>
    (await onSave({ licenceNumber: number, licenceExpires: expires })) && onClose()
  return (
    <form
      ref={form}
      noValidate
      aria-label="Courier licence"
      onSubmit={submit(() => store(values.number.trim(), values.expires))}
      className="grid gap-3"
    >
      <TextField
        label="Courier licence number"
        autoComplete="off"
        maxLength={100}
        {...bind('number')}
      />
      <TextField label="Valid until" type="date" {...bind('expires')} />
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button type="submit" disabled={busy}>
          Save
        </Button>
        <Button look="line" onClick={onClose}>
          Cancel
        </Button>
        {licence && (
          <Button look="red" onClick={() => store('', '')}>
            Remove licence
          </Button>
        )}
      </div>
    </form>
  )
}
