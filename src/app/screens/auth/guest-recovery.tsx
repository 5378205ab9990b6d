import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { normalizePhone } from '#domain/users/phone.ts'
import { syncStatus } from '#store/queries/queries.ts'
import { attempt } from '../../browser/attempt.ts'
import { blockReload } from '../../browser/update/reload-guard.ts'
import { Button } from '../../components/forms/button.tsx'
import { CodeField } from '../../components/forms/code-field.tsx'
import { PhoneField } from '../../components/forms/fields.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { Verbatim } from '../../components/text/verbatim.tsx'
import { useForm } from '../../hooks/forms/use-form.ts'
import { useLive } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { guestRecoveryPath, paths, roomPath } from '../../paths.ts'
import { toast } from '../../toasts.ts'
import { AuthForm, AuthLink, BackToLogin } from './auth-form.tsx'
import { codeProblem, phoneProblem, smsCode } from './field-problems.ts'
import { useCodeTries } from './use-code-tries.ts'

/**
 * Step 1 of 2: asks for a code by SMS. The response is the same whether or not the number has deliveries
 * (R56, R109).
 */
export function FindGuestDeliveries({ phone }: { phone: string }) {
  const { session, prefetch } = useSoma()
  useEffect(prefetch, [prefetch])
  const navigate = useNavigate()
  const { values, bind, submit, submitted, failure, busy, form } = useForm({ phone }, (typed) => ({
    phone: phoneProblem(typed.phone),
  }))
  const ask = () =>
    submitted('Request Failed', async () => {
      const number = normalizePhone(values.phone)
      await blockReload(session.recoverGuest(number))
      toastCode()
      navigate(`${paths.auth}?step=guest-code&phone=${number}`)
    })
  return (
    <AuthForm
      formRef={form}
      onSubmit={submit(ask)}
      isBusy={busy}
      failure={failure}
      submitText="Send Code"
      busyText="Sending…"
      footer={
        <>
          <Offline />
          <BackToLogin />
        </>
      }
    >
      <PhoneField
        label="Your phone number"
        hint="The one you gave when you sent as a guest. We send a code to it by SMS."
        inputMode="tel"
        autoComplete="tel-national"
        {...bind('phone')}
      />
    </AuthForm>
  )
}

/** Step 2 of 2: the code brings the deliveries to this phone. */
export function ConfirmGuest({ phone }: { phone: string }) {
  const { session } = useSoma()
  const navigate = useNavigate()
  const start = { phone, code: '' }
  const { values, bind, submit, submitted, failure, busy, form } = useForm(start, (typed) => ({
    phone: phoneProblem(typed.phone),
    code: codeProblem(typed.code),
  }))
  const number = normalizePhone(values.phone)
  const { counted, renew, failureOf } = useCodeTries()
  const confirm = () =>
    submitted('Verification Failed', () =>
      counted(async () => {
        const found = await blockReload(session.confirmGuestRecovery(number, values.code))
        void navigate(pathTo(found), { replace: true })
        toast(found.length > 0 ? foundToast(found.length) : nothingToast)
      }),
    )
  const resend = () =>
    attempt('Resend Failed', async () => {
      await blockReload(session.recoverGuest(number))
      renew()
      toastCode()
    })
  return (
    <AuthForm
      formRef={form}
      onSubmit={submit(confirm)}
      isBusy={busy}
      failure={failureOf(failure)}
      submitText="Get Deliveries"
      busyText="Checking…"
      footer={
        <>
          <Offline />
          <Button look="line" onClick={resend}>
            Resend code
          </Button>
          <AuthLink to={guestRecoveryPath}>Use another number</AuthLink>
        </>
      }
    >
      <p className="text-soft">
        Enter the 6-digit code sent to {phone ? <Verbatim>{phone}</Verbatim> : 'your phone'}.
      </p>
      {phone === '' && <PhoneField label="Your phone number" {...bind('phone', normalizePhone)} />}
      <CodeField label="Code" autoFocus submits={phone !== ''} {...bind('code', smsCode)} />
    </AuthForm>
  )
}

/** Below the submit button, which must not move under a finger as the connection comes or goes. */
function Offline() {
  if (useLive(syncStatus)?.reachable !== false) return null
  return (
    <Notice title="You're offline">
      <p className="text-sm">
        A code needs a connection. Your deliveries are safe, and you can get them back later.
      </p>
    </Notice>
  )
}

const toastCode = () =>
  toast({ title: 'Code Sent', text: 'If this number has deliveries, a code is on its way.' })

const foundToast = (count: number) =>
  count === 1
    ? { title: 'Delivery found', text: 'You can follow it on this phone again.' }
    : { title: `${count} deliveries found`, text: 'You can follow them on this phone again.' }

const nothingToast = { title: 'No deliveries', text: 'Nothing is under way for this number.' }

const pathTo = ([first, second]: readonly string[]): string => {
  if (first === undefined) return paths.home
  return second === undefined ? roomPath(first) : paths.deliveries
}
