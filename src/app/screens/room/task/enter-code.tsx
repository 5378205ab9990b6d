import { type FormEvent, useId, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button } from '../../../components/forms/button.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'
import { dismissAbout } from '../../../shell/toasts.ts'
import { CodeBoxes } from './code-boxes.tsx'
import { MainAction } from './main-action.tsx'

/** Digits of a delivery code (R25). */
const length = 5

/** The form in which the driver enters the recipient's code (R25). */
export function EnterCode({ row }: { row: DeliveryRow }) {
  const { commands } = useSoma()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useId()
  const refused = row.marks.find(
    ({ op, state }) => op === 'completeDelivery' && state === 'refused',
  )
  const error = problem ?? (code === '' ? refused?.error?.message : undefined)
  const check = () => code === '' && setProblem('Please enter the delivery code')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (code.length !== length) return check()
    setBusy(true)
    dismissAbout(row.ID)
    await attempt(
      'Error',
      async () => {
        // A new code replaces the refused one.
        if (refused) await commands.discard(refused.entry)
        await commands.completeDelivery(row.ID, code)
      },
      'Failed to update status',
    )
    setBusy(false)
    setCode('')
  }
  return (
    <>
      <form id={form} noValidate onSubmit={submit} className="grid gap-2">
        <CodeBoxes
          length={length}
          value={code}
          error={error}
          isFocused={useLocation().hash === '#code'}
          onChange={(next) => {
            setProblem(undefined)
            setCode(next)
          }}
        />
      </form>
      <MainAction>
        <Button
          type="submit"
          form={form}
          disabled={busy || code.length !== length}
          className="min-h-14 w-full text-lg"
        >
          Complete Delivery
        </Button>
      </MainAction>
    </>
  )
}
