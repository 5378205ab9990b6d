import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { normalizePhone } from '#domain/users/phone.ts'
import { blockReload } from '../../../browser/update/reload-guard.ts'
import { PasswordField, PhoneField, TextField } from '../../../components/forms/fields.tsx'
import { Consent } from '../../../components/page/consent.tsx'
import { useForm } from '../../../hooks/forms/use-form.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { paths } from '../../../paths.ts'
import { toast } from '../../../toasts.ts'
import { AuthForm } from '../auth-form.tsx'
import { DriverIdFields } from './driver-id-fields.tsx'
import { RoleChoice } from './role-choice.tsx'
import { clearSignup, restoreSignup, saveSignup } from './signup-draft.ts'
import {
  emptySignup,
  roleOf,
  type SignupValues,
  signupPayload,
  signupProblems,
} from './signup-fields.ts'

/** A new account as sender or driver (R1); a driver also gives an ID (R6). */
export function Signup() {
  const [search] = useSearchParams()
  const asDriver = search.get('role') === 'driver' ? { role: 'driver' } : {}
  const state = useForm({ ...restoreSignup(emptySignup), ...asDriver }, signupProblems)
  const { values, set, bind, submit, submitted, failure, busy, form } = state
  useEffect(() => saveSignup(values), [values])
  const signup = useSignup(values, submitted)
  const [isUploading, setIsUploading] = useState(false)
  const role = roleOf(values)
  // The sign-up would name the photo that is being replaced.
  const waitsForPhoto = role === 'driver' && isUploading
  return (
    <AuthForm
      formRef={form}
      onSubmit={submit(signup)}
      isBusy={busy || waitsForPhoto}
      failure={failure}
      submitText="Sign Up"
      busyText={busy ? 'Creating your account…' : 'Uploading your photo…'}
      className="grid gap-4"
      footer={<Consent by="signing up" />}
    >
      <RoleChoice role={role} onChange={(chosen) => set('role', chosen)} />
      <TextField label="Full name" autoComplete="name" {...bind('name')} />
      <TextField label="Email" type="email" autoComplete="email" {...bind('email')} />
      <PhoneField
        label="Phone number"
        autoComplete="tel-national"
        hint="Ten digits. We send a code to it by SMS."
        {...bind('phone', normalizePhone)}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint="At least 8 characters."
        {...bind('password')}
      />
      {role === 'driver' && <DriverIdFields form={state} onUploading={setIsUploading} />}
    </AuthForm>
  )
}

function useSignup(values: SignupValues, submitted: SubmittedForm) {
  const { session } = useSoma()
  const navigate = useNavigate()
  return () =>
    submitted('Signup Failed', async () => {
      const user = await blockReload(session.signup(signupPayload(values)))
      clearSignup()
      toast({
        title: 'Signup Successful!',
        text: 'Your account has been created. Please verify your phone number.',
        stays: true,
      })
      if (!user.Verified) navigate(`${paths.auth}?step=verify&phone=${user.phone_number}`)
    })
}

type SubmittedForm = (title: string, work: () => unknown) => Promise<boolean>
