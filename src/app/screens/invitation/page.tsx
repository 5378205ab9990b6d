import { useState } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { product } from '#domain/product.ts'
import { blockReload } from '../../browser/update/reload-guard.ts'
import { ButtonLink } from '../../components/forms/button.tsx'
import { PasswordField, TextField } from '../../components/forms/fields.tsx'
import { Logo } from '../../components/page/logo.tsx'
import { Empty } from '../../components/text/empty.tsx'
import { useForm } from '../../hooks/forms/use-form.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { useTitle } from '../../hooks/use-title.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths } from '../../paths.ts'
import { AuthForm, BackToLogin } from '../auth/auth-form.tsx'
import { newPasswordProblem } from '../auth/field-problems.ts'

/** Where an invited colleague chooses a name and a password (R209); the secret stands in the fragment. */
export default function Invitation() {
  const { user, expired } = useVisitor()
  const secret = useLocation().hash.slice(1)
  useTitle('Invitation')
  const isSignedIn = user !== undefined && !expired
  const [wasSignedIn] = useState(isSignedIn)
  // Replaced, so that Back does not lead to a link that is used.
  if (isSignedIn && !wasSignedIn) return <Navigate to={paths.admin} replace />
  return (
    <div className="mx-auto grid w-full max-w-md gap-5 pt-2">
      <div className="grid justify-items-center gap-2 text-center">
        <Logo className="size-14" />
        <h1>Join the office</h1>
        <p className="text-balance text-soft">
          You were invited to work at {product}. Choose your name and your password.
        </p>
      </div>
      {secret === '' ? (
        <Empty icon="alert" title="This link is not complete">
          Open the whole link as you got it, or ask an admin for a new one.
        </Empty>
      ) : isSignedIn ? (
        <Empty
          icon="person"
          title={`You are logged in as ${user.name}`}
          action={<ButtonLink to={paths.profile}>Open Account</ButtonLink>}
        >
          An invitation makes a new account. Log out first, then open the link again.
        </Empty>
      ) : (
        <Accept secret={secret} />
      )}
    </div>
  )
}

function Accept({ secret }: { secret: string }) {
  const { session } = useSoma()
  const { values, bind, submit, submitted, failure, busy, form } = useForm(
    { name: '', password: '' },
    (typed) => ({
      name: typed.name.trim() === '' ? 'Please enter your name.' : undefined,
      password: newPasswordProblem(typed.password),
    }),
  )
  const accept = () =>
    submitted('Not accepted', async () => {
      const body = { name: values.name.trim(), password: values.password }
      await blockReload(session.acceptInvitation(secret, body))
    })
  return (
    <AuthForm
      formRef={form}
      onSubmit={submit(accept)}
      isBusy={busy}
      failure={failure}
      submitText="Join"
      busyText="Joining…"
      footer={<BackToLogin />}
    >
      <TextField label="Your name" autoComplete="name" {...bind('name')} />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint="At least 8 characters."
        {...bind('password')}
      />
    </AuthForm>
  )
}
