import { blockReload } from '../../../browser/update/reload-guard.ts'
import { Button } from '../../../components/forms/button.tsx'
import { PasswordField, TextField } from '../../../components/forms/fields.tsx'
import { useForm } from '../../../hooks/forms/use-form.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { toast } from '../../../toasts.ts'

/** Turns the second step off, with the password and a code (R214). */
export function TurnOff({ email, onClose }: { email: string; onClose: () => void }) {
  const { session } = useSoma()
  const { values, bind, submit, submitted, failure, busy, form } = useForm(
    { password: '', code: '' },
    (typed) => ({
      password: typed.password === '' ? 'Password is required.' : undefined,
      code: typed.code.trim() === '' ? 'Code is required.' : undefined,
    }),
  )
  const turnOff = () =>
    submitted('Not turned off', async () => {
      const body = { password: values.password, code: values.code.trim() }
      await blockReload(session.secondFactor('endSecondFactor', { body }))
      onClose()
      toast({ title: 'Second step off', text: 'You log in with your password alone.' })
    })
  return (
    <form
      ref={form}
      noValidate
      aria-label="Turn off the second step"
      onSubmit={submit(turnOff)}
      className="grid gap-3"
    >
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        {...bind('password')}
      />
      <TextField
        label="Code from your authenticator app"
        hint="Or one of your recovery codes."
        autoComplete="one-time-code"
        maxLength={40}
        {...bind('code')}
      />
      {failure && (
        <p className="rounded-control bg-red-wash p-3 font-semibold text-red-strong">{failure}</p>
      )}
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button type="submit" look="red" disabled={busy}>
          {busy ? 'Turning off…' : 'Turn off'}
        </Button>
        <Button look="line" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
