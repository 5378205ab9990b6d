import { Link, useNavigate } from 'react-router-dom'
import { attempt } from '../../browser/attempt.ts'
import { blockReload } from '../../browser/reload-guard.ts'
import { Button } from '../../components/forms/button.tsx'
import { CodeField, TextField } from '../../components/forms/fields.tsx'
import { useForm } from '../../hooks/use-form.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { landing, paths, visitorOf } from '../../paths.ts'
import { toast } from '../../shell/toasts.ts'
import { codeProblem, digits, phoneProblem } from './field-problems.ts'

/** The SMS code after signup; the login follows by itself where it can (spec §4, Auth flow). */
export function Verify({ phone }: { phone: string }) {
  const { session } = useSoma()
  const navigate = useNavigate()
  const { values, bind, submit, busy, form } = useForm({ phone, code: '' }, (typed) => ({
    phone: phoneProblem(typed.phone),
    code: codeProblem(typed.code),
  }))
  const confirm = () =>
    attempt('Verification Failed', async () => {
      const user = await blockReload(session.confirmPhone(values.phone, values.code))
      toast({ title: 'Phone Verified', text: 'Your phone number is verified.' })
      navigate(user ? landing[visitorOf(user)] : paths.auth, { replace: true })
    })
  const resend = () =>
    attempt('Resend Failed', async () => {
      await blockReload(session.resendCode(values.phone))
      toast({ title: 'Code Sent', text: 'A new code is on its way by SMS.' })
    })
  return (
    <form ref={form} noValidate onSubmit={submit(confirm)} className="card grid gap-4 sm:p-6">
      <p className="text-soft">Enter the 6-digit code sent to {phone || 'your phone'}.</p>
      {phone === '' && (
        <TextField label="Phone number" type="tel" inputMode="numeric" {...bind('phone', digits)} />
      )}
      <CodeField label="Verification code" {...bind('code', digits)} />
      <Button type="submit" disabled={busy}>
        {busy ? 'Checking…' : 'Verify Phone'}
      </Button>
      <Button look="line" onClick={resend}>
        Resend code
      </Button>
      <Link to={paths.auth} className="grid min-h-12 place-items-center font-semibold text-green">
        Back to Login
      </Link>
    </form>
  )
}
