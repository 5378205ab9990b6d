import { useState } from 'react'
import { normalizePhone } from '#domain/users/phone.ts'
import type { Entry } from '#store/entries/operations.ts'
import { attempt } from '../../browser/attempt.ts'
import { Button } from '../../components/forms/button.tsx'
import { PhoneField } from '../../components/forms/fields.tsx'
import { Tag } from '../../components/text/tag.tsx'
import { useForm } from '../../hooks/forms/use-form.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { phoneProblem } from '../auth/field-problems.ts'
import { AccountFact } from './account-fact.tsx'
import { PhoneConfirm, useWaitingChange } from './phone-confirm.tsx'

/** The text of a change that is not sent yet. It counts only after its code was entered (R10). */
const waitingText = ({ input, title }: Entry): string =>
  'keeps' in input && input.keeps
    ? "Change not cancelled yet · sends when you're online"
    : `${title} not sent yet · sends when you're online`

/** The phone number, and the form that changes it through the outbox (R10). */
export function PhoneEdit({ phone, pending }: { phone: string; pending?: string }) {
  const { commands } = useSoma()
  const [editing, setEditing] = useState(false)
  const waiting = useWaitingChange()
  const { values, bind, submit, form } = useForm({ phone }, (typed) => ({
    phone: phoneProblem(typed.phone),
  }))
  const save = () =>
    attempt('Error', async () => {
      if (values.phone !== phone) await commands.changePhone(values.phone)
      setEditing(false)
    })
  if (!editing)
    return (
      <>
        <AccountFact label="Phone" button="Edit phone" onEdit={() => setEditing(true)}>
          <dd translate={phone ? 'no' : 'yes'} className="font-semibold">
            {phone || 'None'}
          </dd>
          {waiting && (
            <dd>
              <Tag tone="gold">{waitingText(waiting)}</Tag>
            </dd>
          )}
        </AccountFact>
        {pending && pending !== phone && !waiting && (
          <PhoneConfirm key={pending} phone={phone} pending={pending} />
        )}
      </>
    )
  return (
    <form ref={form} noValidate onSubmit={submit(save)} className="grid gap-3">
      <PhoneField
        label="Phone"
        autoComplete="tel-national"
        // No `maxLength`: it would cut +233… before `normalizePhone` can read it.
        {...bind('phone', (typed) => normalizePhone(typed).slice(0, 10))}
      />
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button type="submit">Save</Button>
        <Button look="line" onClick={() => setEditing(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
