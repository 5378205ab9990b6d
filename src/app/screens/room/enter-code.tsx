import { type FormEvent, useState } from 'react'
import type { DeliveryRow } from '#store/rows.ts'
import { afterClick } from '../../browser/after-click.ts'
import { attempt } from '../../browser/attempt.ts'
import { Button } from '../../components/forms/button.tsx'
import { TextField } from '../../components/forms/fields.tsx'
import { useSoma } from '../../hooks/use-soma.ts'

/** Digits of a delivery code (spec §9). */
const length = 5

/** The driver types the code the recipient holds. */
export function EnterCode({ row }: { row: DeliveryRow }) {
  const { commands } = useSoma()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const check = () => setError(code === '' ? 'Please enter the delivery code' : undefined)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    await attempt(
      'Error',
      async () => {
        // A new code answers the one that was refused.
        const wrong = row.marks.filter(
          ({ op, state }) => op === 'completeDelivery' && state === 'refused',
        )
        for (const { entry } of wrong) await commands.discard(entry)
        await commands.completeDelivery(row.ID, code)
      },
      'Failed to update status',
    )
    setCode('')
  }
  return (
    <form noValidate onSubmit={submit} className="card grid gap-3">
      <TextField
        label="Delivery code"
        hint="The recipient has it. Hand over the item when they give it to you."
        inputMode="numeric"
        autoComplete="off"
        maxLength={length}
        value={code}
        error={error}
        onBlur={() => afterClick(check)}
        // A disabled button keeps Enter from submitting: it still deserves an answer.
        onKeyDown={(event) => event.key === 'Enter' && check()}
        onChange={(event) => {
          setError(undefined)
          setCode(event.target.value.replace(/\D/g, '').slice(0, length))
        }}
        className="text-center font-mono text-2xl font-extrabold tracking-[0.3em]"
      />
      <Button type="submit" disabled={code.length !== length}>
        Complete Delivery
      </Button>
    </form>
  )
}
