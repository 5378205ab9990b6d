import { Suspense, useContext, useEffect, useState } from 'react'
import { Refusal } from '#domain/errors.ts'
import { blockReload } from '../../browser/update/reload-guard.ts'
import { PasswordField, TextField } from '../../components/forms/fields.tsx'
import { useForm } from '../../hooks/forms/use-form.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { guestRecoveryPath, paths } from '../../paths.ts'
import { toast } from '../../toasts.ts'
import { AuthForm, AuthLink } from './auth-form.tsx'
import { loginProblem } from './field-problems.ts'
import { LoginHelpContext } from './login-help.ts'

/** Email or phone number, and password. After a login the shell's redirect opens the landing screen (R2). */
export function Login({ email }: { email: string }) {
  const { session } = useSoma()
  const LoginHelp = useContext(LoginHelpContext)
  // Only once it is asked for, after the right password (R213).
  const [asksCode, setAsksCode] = useState(false)
  const start = { email, password: '', code: '' }
  const { values, set, bind, submit, submitted, failure, busy, form } = useForm(start, (typed) => ({
    email: loginProblem(typed.email),
    password: typed.password === '' ? 'Password is required.' : undefined,
    code: asksCode && typed.code.trim() === '' ? 'Code is required.' : undefined,
  }))
  useEffect(() => {
    if (asksCode) form.current?.querySelector<HTMLInputElement>('[name=code]')?.focus()
  }, [asksCode, form])
  const login = () =>
    submitted('Login Failed', async () => {
      const code = asksCode ? values.code.trim() : undefined
      try {
        await blockReload(session.login(values.email.trim(), values.password, code))
      } catch (error) {
        if (asksCode || !(error instanceof Refusal) || error.reason !== 'second-factor') throw error
        return setAsksCode(true)
      }
      toast({ title: 'Login Successful!', text: 'Welcome back!', stays: true })
    })
  return (
    <AuthForm
      formRef={form}
      onSubmit={submit(login)}
      isBusy={busy}
      failure={failure}
      submitText="Login"
      busyText="Logging in…"
      className="grid gap-4"
      footer={
        <>
          <AuthLink to={`${paths.auth}?step=forgot`}>Forgot password?</AuthLink>
          <AuthLink to={guestRecoveryPath}>Guest? Get your deliveries back</AuthLink>
          {LoginHelp && (
            <Suspense>
              <LoginHelp
                onUse={(login) => {
                  set('email', login.email)
                  set('password', login.password)
                }}
              />
            </Suspense>
          )}
        </>
      }
    >
      <TextField
        label="Email or phone number"
        type="email"
        autoComplete="username"
        {...bind('email')}
      />
      <PasswordField label="Password" autoComplete="current-password" {...bind('password')} />
      {asksCode && (
        <TextField
          label="Code from your authenticator app"
          hint="Or one of your recovery codes."
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          {...bind('code')}
        />
      )}
    </AuthForm>
  )
}
