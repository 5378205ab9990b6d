import { outbox } from '#store/queries/outbox/outbox.ts'
import { syncStatus } from '#store/queries/queries.ts'
import { attempt } from '../../browser/attempt.ts'
import { blockReload } from '../../browser/update/reload-guard.ts'
import { Button } from '../../components/forms/button.tsx'
import { CodeField } from '../../components/forms/code-field.tsx'
import { Verbatim } from '../../components/text/verbatim.tsx'
import { useForm } from '../../hooks/forms/use-form.ts'
import { useLive, useOwn } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { toast } from '../../toasts.ts'
import { codeProblem, smsCode } from '../auth/field-problems.ts'
import { useCodeTries } from '../auth/use-code-tries.ts'

/** Confirms a changed phone number by its code. Until then the old number counts (R10). */
export function PhoneConfirm({ phone, pending }: { phone: string; pending: string }) {
  const { session, commands } = useSoma()
  const offline = useLive(syncStatus)?.reachable === false
  const { values, bind, submit, submitted, failure, busy, form } = useForm(
    { code: '' },
    (typed) => ({
      code: codeProblem(typed.code),
    }),
  )
  const { counted, renew, failureOf } = useCodeTries()
  const confirm = () =>
    submitted('Verification Failed', () =>
      counted(async () => {
        await blockReload(session.confirmPhone(pending, values.code))
        toast({ title: 'Phone Verified', text: `Your number is now ${pending}.` })
      }),
    )
  const resend = () =>
    attempt('Resend Failed', async () => {
      await blockReload(session.resendCode(pending))
      renew()
      toast({ title: 'Code Sent', text: 'A new code is on its way by SMS.' })
    })
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit(confirm)}
      aria-label="New phone number"
      className="grid gap-3 rounded-card bg-gold-wash p-4"
    >
      <p>
        <strong>
          Confirm <Verbatim>{pending}</Verbatim> with the code we sent.
        </strong>{' '}
        Until then your number stays {phone ? <Verbatim>{phone}</Verbatim> : 'as it is'}.
      </p>
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
      <Button look="edge" onClick={() => attempt('Error', () => commands.withdrawPhoneChange())}>
        Cancel the change
      </Button>
    </form>
  )
}

/** The change of the phone number that is not sent yet, if there is one. */
export const useWaitingChange = () =>
  useOwn(outbox)?.find(
    ({ op, state }) =>
      op === 'changePhone' && ['waiting', 'sending', 'retrying', 'parked'].includes(state),
  )
