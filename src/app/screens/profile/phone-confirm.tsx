import { outbox } from '#store/queries/outbox/outbox.ts'
import { attempt } from '../../browser/attempt.ts'
import { Verbatim } from '../../components/text/verbatim.tsx'
import { useOwn } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { toast } from '../../toasts.ts'
import { CodeForm } from './code-form.tsx'

/** Confirms a changed phone number by its code. Until then the old number counts (R10). */
export function PhoneConfirm({ phone, pending }: { phone: string; pending: string }) {
  const { session, commands } = useSoma()
  return (
    <CodeForm
      label="New phone number"
      onConfirm={async (code) => {
        await session.confirmPhone(pending, code)
        toast({ title: 'Phone Verified', text: `Your number is now ${pending}.` })
      }}
      onResend={() => session.resendCode(pending)}
      other={{
        label: 'Cancel the change',
        onClick: () => attempt('Error', () => commands.withdrawPhoneChange()),
      }}
    >
      <p>
        <strong>
          Confirm <Verbatim>{pending}</Verbatim> with the code we sent.
        </strong>{' '}
        Until then your number stays {phone ? <Verbatim>{phone}</Verbatim> : 'as it is'}.
      </p>
    </CodeForm>
  )
}

/** The change of the phone number that is not sent yet, if there is one. */
export const useWaitingChange = () =>
  useOwn(outbox)?.find(
    ({ op, state }) =>
      op === 'changePhone' && ['waiting', 'sending', 'retrying', 'parked'].includes(state),
  )
