import type { ReactNode } from 'react'
import { syncStatus } from '#store/queries/queries.ts'
import { attempt } from '../../browser/attempt.ts'
import { blockReload } from '../../browser/update/reload-guard.ts'
import { Button } from '../../components/forms/button.tsx'
import { CodeField } from '../../components/forms/code-field.tsx'
import { useForm } from '../../hooks/forms/use-form.ts'
import { useLive } from '../../hooks/use-live.ts'
import { toast } from '../../toasts.ts'
import { codeProblem, smsCode } from '../auth/field-problems.ts'
import { useCodeTries } from '../auth/use-code-tries.ts'

type Props = {
  label: string
  /** What the code confirms. */
  children: ReactNode
  onConfirm: (code: string) => Promise<unknown>
  onResend: () => Promise<unknown>
  /** Another way out. */
  other: { label: string; onClick: () => unknown }
}

/** The field for a code that was sent to a number by SMS (R62), with a new code and the number of tries left. */
export function CodeForm({ label, children, onConfirm, onResend, other }: Props) {
  const offline = useLive(syncStatus)?.reachable === false
  const { values, bind, submit, submitted, failure, busy, form } = useForm(
    { code: '' },
    (typed) => ({ code: codeProblem(typed.code) }),
  )
  const { counted, renew, failureOf } = useCodeTries()
  const confirm = () =>
    submitted('Verification Failed', () => counted(() => blockReload(onConfirm(values.code))))
  const resend = () =>
    attempt('Resend Failed', async () => {
      await blockReload(onResend())
      renew()
      toast({ title: 'Code Sent', text: 'A new code is on its way by SMS.' })
    })
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit(confirm)}
      aria-label={label}
      className="grid gap-3 rounded-card bg-gold-wash p-4"
    >
      {children}
      {offline ? (
        <p>Not available offline. You can confirm it when you're back online.</p>
      ) : (
        <>
          <CodeField label="Code" submits {...bind('code', smsCode)} />
          {failure && (
            <p className="rounded-control bg-red-wash p-3 font-semibold text-red-strong">
              {failureOf(failure)}
            </p>
          )}
          <div className="flex flex-wrap gap-2 *:flex-1">
            <Button type="submit" disabled={busy}>
              {busy ? 'Checking…' : 'Confirm'}
            </Button>
            <Button look="edge" onClick={resend}>
              Resend code
            </Button>
          </div>
        </>
      )}
      <Button look="edge" onClick={other.onClick}>
        {other.label}
      </Button>
    </form>
  )
}
