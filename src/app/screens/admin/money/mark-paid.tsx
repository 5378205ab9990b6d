import { type FormEvent, useState } from 'react'
import { fullPrice, parseAmount, toPesewas } from '#domain/money.ts'
import { maxReference } from '#domain/payout.ts'
import type { PayoutRow } from '#store/queries/admin/admin.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { TextField } from '../../../components/forms/fields.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'

type Problems = { reference?: string; amount?: string }

/** Marks a payout as paid by hand: with its reference, and its amount typed once more (R183). It cannot be undone. */
export function MarkPaid({ payout, onClose }: { payout: PayoutRow; onClose: () => void }) {
  const { commands } = useSoma()
  const [reference, setReference] = useState('')
  const [typed, setTyped] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const { ID, amount, driver } = payout
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const sum = parseAmount(typed)
    const isSame = sum !== undefined && toPesewas(sum) === toPesewas(amount)
    const found: Problems = {
      reference: reference.trim() === '' ? 'Enter the reference of the payment.' : undefined,
      amount: isSame ? undefined : `This payout is ${fullPrice(amount)}. Type that amount.`,
    }
    setProblems(found)
    if (found.reference || found.amount || sum === undefined) return
    const paid = { status: 'paid' as const, reference: reference.trim(), amount: sum }
    if (await attempt('Error', () => commands.settlePayout(ID, paid))) onClose()
  }
  return (
    <Dialog title="Mark as paid?" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <p className="text-soft">
          Only if {driver.name} has the {fullPrice(amount)}. This cannot be undone.
        </p>
        <TextField
          label="Reference"
          hint="Such as the number of the mobile money transaction."
          maxLength={maxReference}
          autoComplete="off"
          value={reference}
          error={problems.reference}
          onChange={(event) => {
            setReference(event.target.value)
            setProblems({})
          }}
        />
        <TextField
          label="Amount in cedis"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          value={typed}
          error={problems.amount}
          onChange={(event) => {
            setTyped(event.target.value)
            setProblems({})
          }}
        />
        <div className="grid gap-2 sm:grid-cols-2">
          <Button type="submit">Mark as paid</Button>
          <Button look="line" onClick={onClose}>
            Not now
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
