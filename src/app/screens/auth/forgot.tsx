import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { normalizePhone } from '#domain/phone.ts'
import { attempt } from '../../browser/attempt.ts'
import { blockReload } from '../../browser/reload-guard.ts'
import { Button } from '../../components/forms/button.tsx'
import { TextField } from '../../components/forms/fields.tsx'
import { useForm } from '../../hooks/use-form.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../shell/toasts.ts'
import { codeProblem, digits, newPasswordProblem, phoneProblem } from './field-problems.ts'

/** Step 1 of 2: a code by SMS. Whether the number is known is told to nobody. */
export function ForgotPassword() {
  const { session } = useSoma()
  const navigate = useNavigate()
  const { values, bind, submit, busy, form } = useForm({ phone: '' }, (typed) => ({
    phone: phoneProblem(typed.phone),
  }))
  const ask = () =>
    attempt('Request Failed', async () => {
      const phone = normalizePhone(values.phone)
      await blockReload(session.requestReset(phone))
      toast({ title: 'Code Sent', text: 'If the number is known here, a code is on its way.' })
      navigate(`${paths.auth}?step=reset&phone=${phone}`)
    })
  return (
    <form ref={form} noValidate onSubmit={submit(ask)} className="card grid gap-4 sm:p-6">
      <TextField
        label="Phone number"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder="233244123456"
        hint="We send a code to it by SMS."
        {...bind('phone')}
      />
      <Button type="submit" disabled={busy}>
        {busy ? 'Sending…' : 'Send Code'}
      </Button>
      <Back>Back to Login</Back>
    </form>
  )
}

/** Step 2 of 2: the code and a new password. */
export function ResetPassword({ phone }: { phone: string }) {
  const { session } = useSoma()
  const navigate = useNavigate()
  const { values, bind, submit, busy, form } = useForm(
    { phone, code: '', password: '' },
    (typed) => ({
      phone: phoneProblem(typed.phone),
      code: codeProblem(typed.code),
      password: newPasswordProblem(typed.password),
    }),
  )
  const reset = () =>
    attempt('Password Reset Failed', async () => {
      await blockReload(
        session.resetPassword(normalizePhone(values.phone), values.code, values.password),
      )
      toast({ title: 'Password Reset', text: 'Log in with your new password.' })
      navigate(paths.auth, { replace: true })
    })
  return (
    <form ref={form} noValidate onSubmit={submit(reset)} className="card grid gap-4 sm:p-6">
      <TextField
        label="Phone number"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder="233244123456"
        {...bind('phone')}
      />
      <TextField
        label="Reset code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        {...bind('code', digits)}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 8 characters."
        {...bind('password')}
      />
      <Button type="submit" disabled={busy}>
        {busy ? 'Saving…' : 'Reset Password'}
      </Button>
      <Back>Back to Login</Back>
    </form>
  )
}

function Back({ children }: { children: ReactNode }) {
  return (
    <Link to={paths.auth} className="grid min-h-12 place-items-center font-semibold text-green">
      {children}
    </Link>
  )
}
