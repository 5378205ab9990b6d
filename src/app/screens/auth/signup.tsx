import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import {
  formatGhanaCard,
  formatPassport,
  ghanaCardLength,
  IdType,
  idNumberProblem,
  idTypeLabels,
} from '#domain/driver.ts'
import { normalizePhone } from '#domain/phone.ts'
import { attempt } from '../../browser/attempt.ts'
import { blockReload } from '../../browser/reload-guard.ts'
import { Button } from '../../components/forms/button.tsx'
import { phoneInputProps, SelectField, TextField } from '../../components/forms/fields.tsx'
import { useForm } from '../../hooks/use-form.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../shell/toasts.ts'
import { emailProblem, newPasswordProblem, phoneProblem } from './field-problems.ts'
import { IdPhoto } from './id-photo.tsx'
import { clearSignup, restoreSignup, saveSignup } from './signup-draft.ts'

const start = {
  role: 'sender',
  name: '',
  email: '',
  phone: '',
  password: '',
  idType: 'ghana_card',
  idNumber: '',
  idPhoto: '',
}
type Typed = typeof start
const allId = 'Please fill out all ID verification fields.'

const idTypeOf = (typed: string): IdType => (typed === 'passport' ? 'passport' : 'ghana_card')

function validateDraft(typed: Typed) {
  const driving = typed.role === 'driver'
  const number =
    typed.idNumber === '' ? allId : idNumberProblem(idTypeOf(typed.idType), typed.idNumber)
  return {
    name: typed.name.trim() === '' ? 'Name is required.' : undefined,
    email: emailProblem(typed.email),
    phone: phoneProblem(typed.phone),
    password: newPasswordProblem(typed.password),
    idNumber: driving ? number : undefined,
    idPhoto: driving && typed.idPhoto === '' ? 'Please upload a valid ID photo.' : undefined,
  }
}

/** A new account; a driver also shows who they are (spec §2, §5). */
export function Signup() {
  const { session } = useSoma()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const asked = search.get('role') === 'driver' ? { role: 'driver' } : {}
  const { values, set, bind, submit, busy, form } = useForm(
    { ...restoreSignup(start), ...asked },
    validateDraft,
  )
  useEffect(() => saveSignup(values), [values])
  const [isUploading, setIsUploading] = useState(false)
  const role = values.role === 'driver' ? 'driver' : 'sender'
  const driving = role === 'driver'
  const idType = idTypeOf(values.idType)
  const signup = () =>
    attempt('Signup Failed', async () => {
      const user = await blockReload(session.signup(payloadOf(values, role)))
      clearSignup()
      toast({
        title: 'Signup Successful!',
        text: 'Your account has been created. Please verify your phone number.',
      })
      if (!user.Verified) navigate(`${paths.auth}?step=verify&phone=${user.phone_number}`)
    })
  const say = (text: string) =>
    toast({
      title: text.startsWith('Phone number') ? 'Invalid Phone Number' : 'Signup Failed',
      text,
      destructive: true,
    })
  return (
    <form ref={form} noValidate onSubmit={submit(signup, say)} className="grid gap-4">
      <Roles role={role} onChange={(chosen) => set('role', chosen)} />
      <TextField label="Full name" autoComplete="name" {...bind('name')} />
      <TextField label="Email" type="email" autoComplete="email" {...bind('email')} />
      <TextField
        label="Phone number"
        autoComplete="tel-national"
        hint="Ten digits. We send a code to it by SMS."
        {...phoneInputProps}
        {...bind('phone', normalizePhone)}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 8 characters."
        {...bind('password')}
      />
      {driving && (
        <>
          <SelectField
            label="ID type"
            {...bind('idType')}
            onChange={(event) => {
              set('idType', event.target.value)
              set('idNumber', '')
            }}
          >
            {IdType.options.map((type) => (
              <option key={type} value={type}>
                {idTypeLabels[type]}
              </option>
            ))}
          </SelectField>
          <TextField
            label="ID number"
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={idType === 'ghana_card' ? ghanaCardLength : 9}
            placeholder={idType === 'ghana_card' ? 'GHA-123456789-0' : 'A1234567'}
            {...bind('idNumber', idType === 'ghana_card' ? formatGhanaCard : formatPassport)}
          />
          <IdPhoto
            {...bind('idPhoto')}
            url={values.idPhoto}
            onUrl={(url) => set('idPhoto', url)}
            onPicked={async (taken) => {
              setIsUploading(true)
              await taken
              setIsUploading(false)
            }}
          />
        </>
      )}
      {/* Nobody signs up with the photo that is being replaced. */}
      <Button type="submit" disabled={busy || (driving && isUploading)}>
        {busy
          ? 'Creating your account…'
          : driving && isUploading
            ? 'Uploading your photo…'
            : 'Sign Up'}
      </Button>
    </form>
  )
}

function payloadOf(typed: Typed, role: 'sender' | 'driver') {
  const { name, email, phone, password, idType, idNumber, idPhoto } = typed
  const person = { name: name.trim(), email: email.trim(), phone_number: phone, password, role }
  return role === 'driver' ? { ...person, idType: idTypeOf(idType), idNumber, idPhoto } : person
}

function Roles(about: {
  role: 'sender' | 'driver'
  onChange: (role: 'sender' | 'driver') => void
}) {
  const roles = [
    ['sender', 'Sender', 'I send packages'],
    ['driver', 'Driver', 'I also deliver'],
  ] as const
  return (
    <fieldset className="grid grid-cols-2 gap-2">
      <legend className="mb-1.5 text-sm font-semibold">I am a</legend>
      {roles.map(([role, label, text]) => (
        <label
          key={role}
          className="grid min-h-16 cursor-pointer content-center rounded-control border-[1.5px] border-edge px-4 py-2 has-checked:border-green has-checked:bg-green-wash has-focus-visible:outline-3 has-focus-visible:outline-green"
        >
          <input
            type="radio"
            name="role"
            value={role}
            aria-label={label}
            checked={about.role === role}
            onChange={() => about.onChange(role)}
            className="sr-only"
          />
          <strong>{label}</strong>
          <span className="text-sm text-soft">{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
