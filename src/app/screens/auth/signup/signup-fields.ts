import type { IdType } from '#domain/users/driver.ts'
import { ghanaCardStart, idNumberProblem } from '#domain/users/id-numbers.ts'
import { nameProblem } from '#domain/users/name.ts'
import { emailProblem, newPasswordProblem, phoneProblem } from '../field-problems.ts'
import type { SignupRole } from './role-choice.tsx'

/** What a driver gives beside an account. */
export const emptyId = { idType: 'ghana_card', idNumber: '', idPhoto: '' }
export type IdField = keyof typeof emptyId

export const emptySignup = {
  role: 'sender',
  name: '',
  email: '',
  phone: '',
  password: '',
  ...emptyId,
}
export type SignupValues = typeof emptySignup

export const idTypeOf = (value: string): IdType =>
  value === 'passport' ? 'passport' : 'ghana_card'

export const roleOf = ({ role }: SignupValues): SignupRole =>
  role === 'driver' ? 'driver' : 'sender'

/** The problem of each wrong field (R6, R8, R11). */
export function signupProblems(values: SignupValues) {
  const isDriver = roleOf(values) === 'driver'
  return {
    name: values.name.trim() === '' ? 'Name is required.' : nameProblem(values.name.trim()),
    email: emailProblem(values.email),
    phone: phoneProblem(values.phone),
    password: newPasswordProblem(values.password),
    ...(isDriver ? idProblems(values) : {}),
  }
}

/** The problems of a driver's ID (R6). */
export const idProblems = ({ idType, idNumber, idPhoto }: Record<IdField, string>) => ({
  idNumber:
    idNumber === '' || idNumber === ghanaCardStart
      ? 'Please fill out all ID verification fields.'
      : idNumberProblem(idTypeOf(idType), idNumber),
  idPhoto: idPhoto === '' ? 'Please upload a valid ID photo.' : undefined,
})

/** The request body of the sign-up. */
export function signupPayload(values: SignupValues) {
  const role = roleOf(values)
  const person = {
    name: values.name.trim(),
    email: values.email.trim(),
    phone_number: values.phone,
    password: values.password,
    role,
  }
  if (role === 'sender') return person
  const { idType, idNumber, idPhoto } = values
  return { ...person, idType: idTypeOf(idType), idNumber, idPhoto }
}
