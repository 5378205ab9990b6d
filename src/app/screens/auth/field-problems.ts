import { codeIn } from '#domain/digits.ts'
import { isPhone, normalizePhone, phoneProblem as problemOf } from '#domain/users/phone.ts'

/** Each returns the message for under the field, or undefined when the value is valid. */
export const emailProblem = (email: string): string | undefined =>
  /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : 'Please enter your email address.'

/** Of what somebody logs in with (R7). */
export const loginProblem = (typed: string): string | undefined =>
  isPhone(normalizePhone(typed)) || emailProblem(typed) === undefined
    ? undefined
    : 'Please enter your email address or phone number.'

export const phoneProblem = (phone: string): string | undefined => {
  const problem = problemOf(normalizePhone(phone))
  return problem && `Invalid Phone Number: ${problem}`
}

export const newPasswordProblem = (password: string): string | undefined =>
  password.length >= 8 ? undefined : 'Password must be at least 8 characters.'

export const codeProblem = (code: string): string | undefined =>
  /^\d{6}$/.test(code) ? undefined : 'The code has six digits.'

/** The code of an SMS in what is typed or pasted (R62). */
export const smsCode = (typed: string): string => codeIn(typed, 6)
