import { Suspense, useContext } from 'react'
import { Link } from 'react-router-dom'
import { attempt } from '../../browser/attempt.ts'
import { blockReload } from '../../browser/reload-guard.ts'
import { Button } from '../../components/forms/button.tsx'
import { TextField } from '../../components/forms/fields.tsx'
import { useForm } from '../../hooks/use-form.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../shell/toasts.ts'
import { emailProblem } from './field-problems.ts'
import { LoginHelpContext } from './login-help.ts'

/** Email and password. After a login the shell's redirect opens the landing screen (R2). */
export function Login({ email }: { email: string }) {
  const { session } = useSoma()
  const LoginHelp = useContext(LoginHelpContext)
  const { values, set, bind, submit, busy, form } = useForm({ email, password: '' }, (typed) => ({
    email: emailProblem(typed.email),
    password: typed.password === '' ? 'Password is required.' : undefined,
  }))
  const login = () =>
    attempt('Login Failed', async () => {
      await blockReload(session.login(values.email.trim(), values.password))
      toast({ title: 'Login Successful!', text: 'Welcome back!' })
    })
  return (
    <form ref={form} noValidate onSubmit={submit(login)} className="grid gap-4">
      <TextField label="Email" type="email" autoComplete="email" {...bind('email')} />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        {...bind('password')}
      />
      <Button type="submit" disabled={busy}>
        {busy ? 'Logging in…' : 'Login'}
      </Button>
      <Link
        to={`${paths.auth}?step=forgot`}
        className="grid min-h-12 place-items-center font-semibold text-green"
      >
        Forgot password?
      </Link>
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
    </form>
  )
}
