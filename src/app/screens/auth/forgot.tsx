import { useNavigate } from 'react-router-dom'
import { normalizePhone } from '#domain/users/phone.ts'
import { attempt } from '../../browser/attempt.ts'
import { blockReload } from '../../browser/update/reload-guard.ts'
import { Button } from '../../components/forms/button.tsx'
import { CodeField } from '../../components/forms/code-field.tsx'
import { PasswordField, PhoneField } from '../../components/forms/fields.tsx'
import { useForm } from '../../hooks/forms/use-form.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../toasts.ts'
import { AuthForm, BackToLogin } from './auth-form.tsx'
import { codeProblem, newPasswordProblem, phoneProblem, smsCode } from './field-problems.ts'
import { useCodeTries } from './use-code-tries.ts'

/** Both password calls also take the form that begins with 233 (R8). */
const resetPhoneProps = {
  inputMode: 'tel',
  autoComplete: 'tel',
  placeholder: '233244123456',
} as const

const codeSent = { title: 'Code Sent', text: 'If the number is known here, a code is on its way.' }

/**
 * Step 1 of 2: asks for a code by SMS. The response is the same whether or not the number has an account
 * (R56).
 */
export function ForgotPassword() {
  const { session } = useSoma()
  const navigate = useNavigate()
  const { values, bind, submit, submitted, failure, busy, form } = useForm(
    { phone: '' },
    (typed) => ({ phone: phoneProblem(typed.phone) }),
  )
  const ask = () =>
    submitted('Request Failed', async () => {
      const phone = normalizePhone(values.phone)
      await blockReload(session.requestReset(phone))
      toast(codeSent)
      navigate(`${paths.auth}?step=reset&phone=${phone}`)
    })
  return (
    <AuthForm
      formRef={form}
      onSubmit={submit(ask)}
      isBusy={busy}
      failure={failure}
      submitText="Send Code"
      busyText="Sending…"
      footer={<BackToLogin />}
    >
      <PhoneField
        label="Phone number"
        hint="We send a code to it by SMS."
        {...resetPhoneProps}
        {...bind('phone')}
      />
    </AuthForm>
  )
}

/** Step 2 of 2: the code and a new password. */
export function ResetPassword({ phone }: { phone: string }) {
  const { session } = useSoma()
  const navigate = useNavigate()
  const { values, bind, submit, submitted, failure, busy, form } = useForm(
    { phone, code: '', password: '' },
    (typed) => ({
      phone: phoneProblem(typed.phone),
      code: codeProblem(typed.code),
      password: newPasswordProblem(typed.password),
    }),
  )
  const { counted, renew, failureOf } = useCodeTries()
  const reset = () =>
    submitted('Password Reset Failed', () =>
      counted(async () => {
        await blockReload(
          session.resetPassword(normalizePhone(values.phone), values.code, values.password),
        )
        toast({ title: 'Password Reset', text: 'Log in with your new password.' })
        navigate(paths.auth, { replace: true })
      }),
    )
  const resend = () =>
    attempt('Resend Failed', async () => {
      await blockReload(session.requestReset(normalizePhone(values.phone)))
      renew()
      toast(codeSent)
    })
  return (
    <AuthForm
      formRef={form}
      onSubmit={submit(reset)}
      isBusy={busy}
      failure={failureOf(failure)}
      submitText="Reset Password"
      busyText="Saving…"
      footer={
        <>
          <Button look="line" onClick={resend}>
            Resend code
          </Button>
          <BackToLogin />
        </>
      }
    >
      <PhoneField label="Phone number" {...resetPhoneProps} {...bind('phone')} />
      <CodeField label="Reset code" {...bind('code', smsCode)} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters."
        {...bind('password')}
      />
    </AuthForm>
  )
}
