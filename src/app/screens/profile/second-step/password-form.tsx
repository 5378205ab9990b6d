import { blockReload } from '../../../browser/update/reload-guard.ts'
import { Button } from '../../../components/forms/button.tsx'
import { PasswordField, TextField } from '../../../components/forms/fields.tsx'
import { useForm } from '../../../hooks/forms/use-form.ts'

type Typed = { password: string; code: string }

/** Asks for the password, and a code where there is one already, before the second step changes (R213, R214). */
export function PasswordForm(props: {
  label: string
  email: string
  hasCode?: boolean
  yes: string
  look?: 'red'
  /** The title of what is said when it fails. */
  failed: string
  onYes: (typed: Typed) => Promise<unknown>
  onClose: () => void
}) {
  const { hasCode } = props
  const { values, bind, submit, submitted, failure, busy, form } = useForm(
    { password: '', code: '' },
    ({ password, code }) => ({
      password: password === '' ? 'Password is required.' : undefined,
      code: hasCode && code.trim() === '' ? 'Code is required.' : undefined,
    }),
  )
  const send = () =>
    submitted(props.failed, async () => {
      const typed = { password: values.password, code: values.code.trim() }
      await blockReload(props.onYes(typed))
    })
  return (
    <form
      ref={form}
      noValidate
      aria-label={props.label}
      onSubmit={submit(send)}
      className="grid gap-3"
    >
      <input type="email" autoComplete="username" value={props.email} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        {...bind('password')}
      />
      {hasCode && (
        <TextField
          label="Code from your authenticator app"
          hint="Or one of your recovery codes."
          autoComplete="one-time-code"
          maxLength={40}
          {...bind('code')}
        />
      )}
      {failure && (
        <p className="rounded-control bg-red-wash p-3 font-semibold text-red-strong">{failure}</p>
      )}
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button type="submit" look={props.look} disabled={busy}>
          {busy ? 'Checking…' : props.yes}
        </Button>
        <Button look="line" onClick={props.onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
