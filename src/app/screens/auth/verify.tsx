import { useState } from 'react'
import { Navigate, useNavigate } from 'react-router-dom'
import { normalizePhone } from '#domain/users/phone.ts'
import { attempt } from '../../browser/attempt.ts'
import { blockReload } from '../../browser/update/reload-guard.ts'
import { Button } from '../../components/forms/button.tsx'
import { CodeField } from '../../components/forms/code-field.tsx'
import { PhoneField } from '../../components/forms/fields.tsx'
import { Verbatim } from '../../components/text/verbatim.tsx'
import { useForm } from '../../hooks/forms/use-form.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { landing, paths, visitorOf } from '../../paths.ts'
import { toast } from '../../toasts.ts'
import { AuthForm, BackToLogin } from './auth-form.tsx'
import { codeProblem, phoneProblem, smsCode } from './field-problems.ts'
import { useCodeTries } from './use-code-tries.ts'

/** Confirms the phone number with the SMS code (R62). After a sign-up in this page the login follows. */
export function Verify({ phone }: { phone: string }) {
  const { session } = useSoma()
  const { user } = useVisitor()
  const navigate = useNavigate()
  const [isChanging, setIsChanging] = useState(false)
  const start = { phone, code: '' }
  const { values, bind, submit, submitted, failure, busy, form } = useForm(start, (typed) => ({
    phone: phoneProblem(typed.phone),
    code: codeProblem(typed.code),
  }))
  const { counted, renew, failureOf } = useCodeTries()
  const confirm = () =>
    submitted('Verification Failed', () =>
      counted(async () => {
        const user = await blockReload(session.confirmPhone(values.phone, values.code))
        void navigate(user ? landing[visitorOf(user)] : paths.auth, { replace: true })
        toast({ title: 'Phone Verified', text: 'Your phone number is verified.' })
      }),
    )
  const resend = () =>
    attempt('Resend Failed', async () => {
      await blockReload(session.resendCode(values.phone))
      renew()
      toast({ title: 'Code Sent', text: 'A new code is on its way by SMS.' })
    })
  // The number is changed in the account, which is there from the sign-up on.
  const changeNumber = () =>
    attempt('Login Failed', async () => {
      if (user || (await blockReload(session.loginPending()))) setIsChanging(true)
      else navigate(paths.auth)
    })
  // Once the shell knows who is logged in: before that, it would send them back here.
  if (isChanging && user) return <Navigate to={paths.profile} replace />
  return (
    <AuthForm
      formRef={form}
      onSubmit={submit(confirm)}
      isBusy={busy}
      failure={failureOf(failure)}
      submitText="Verify Phone"
      busyText="Checking…"
      footer={
        <>
          <Button look="line" onClick={resend}>
            Resend code
          </Button>
          {phone !== '' && (
            <Button look="line" onClick={changeNumber}>
              Wrong number?
            </Button>
          )}
          <BackToLogin />
        </>
      }
    >
      <p className="text-soft">
        Enter the 6-digit code sent to {phone ? <Verbatim>{phone}</Verbatim> : 'your phone'}.
      </p>
      {phone === '' && (
        <PhoneField
          label="Phone number"
          placeholder={undefined}
          {...bind('phone', normalizePhone)}
        />
      )}
      <CodeField
        label="Verification code"
        autoFocus
        submits={phone !== ''}
        {...bind('code', smsCode)}
      />
    </AuthForm>
  )
}
