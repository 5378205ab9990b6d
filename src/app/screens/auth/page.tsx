import { Navigate, useSearchParams } from 'react-router-dom'
import { product } from '#domain/product.ts'
import { Logo } from '../../components/page/logo.tsx'
import { TryTheDemo } from '../../components/page/try-the-demo.tsx'
import { useTitle } from '../../hooks/use-title.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { landing } from '../../paths.ts'
import { AuthTabs } from './auth-tabs.tsx'
import { ForgotPassword, ResetPassword } from './forgot.tsx'
import { ConfirmGuest, FindGuestDeliveries } from './guest-recovery.tsx'
import { Login } from './login.tsx'
import { Signup } from './signup/signup.tsx'
import { restoreSignup } from './signup/signup-draft.ts'
import { Verify } from './verify.tsx'

/*
 * Where a person is in it stands in the address: a phone that kills the page while they read the
 * SMS brings them back to the same step.
 *
 *   login ⇄ signup ──▶ verify ──▶ in
 *     ├──▶ forgot ──▶ reset ──▶ login
 *     └──▶ guest ──▶ guest-code ──▶ the deliveries
 *            └──▶ erase ──▶ erase-code ──▶ home
 */
export default function Auth() {
  const { visitor, user, expired } = useVisitor()
  const [search] = useSearchParams()
  const step = search.get('step')
  const phone = search.get('phone') ?? user?.phone_number ?? ''
  useTitle('Login')
  const signedIn = user !== undefined && !expired
  if (signedIn && (user.Verified || step !== 'verify'))
    return <Navigate to={landing[visitor]} replace />
  return (
    <div className="mx-auto grid w-full max-w-md gap-5 pt-2">
      <div className="grid justify-items-center gap-2 text-center">
        <Logo className="size-14" />
        <h1>{headings[step ?? ''] ?? `Welcome to ${product}`}</h1>
        {step === null && (
          <p className="text-balance text-soft">For senders and drivers. Guests need no account.</p>
        )}
      </div>
      {step === 'verify' ? (
        <Verify phone={phone} />
      ) : step === 'forgot' ? (
        <ForgotPassword />
      ) : step === 'reset' ? (
        <ResetPassword phone={phone} />
      ) : step === 'guest' || step === 'erase' ? (
        <FindGuestDeliveries key={step} phone={phone} erases={step === 'erase'} />
      ) : step === 'guest-code' || step === 'erase-code' ? (
        <ConfirmGuest key={step} phone={phone} erases={step === 'erase-code'} />
      ) : (
        <>
          <AuthTabs login={<Login email={user?.email ?? typedEmail()} />} signup={<Signup />} />
          {import.meta.env.MODE !== 'demo' && <TryTheDemo />}
        </>
      )}
    </div>
  )
}

/** What was typed at the sign-up: whoever has an account there need not type it again. */
const typedEmail = () => restoreSignup({ email: '' }).email

const headings: Record<string, string> = {
  verify: 'Verify your phone',
  forgot: 'Forgot your password?',
  reset: 'Choose a new password',
  guest: 'Get your deliveries back',
  'guest-code': 'Get your deliveries back',
  erase: 'Delete your deliveries',
  'erase-code': 'Delete your deliveries',
}
