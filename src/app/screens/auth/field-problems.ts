import { isPhone, normalizePhone } from '#domain/phone.ts'

/** What is wrong with one typed value, in words for under its field; nothing when it is right. */
export const emailProblem = (email: string): string | undefined =>
  /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : 'Please enter your email address.'

export const phoneProblem = (phone: string): string | undefined =>
  isPhone(normalizePhone(phone)) ? undefined : 'Phone number must be exactly 10 digits.'

export const newPasswordProblem = (password: string): string | undefined =>
  password.length >= 8 ? undefined : 'Password must be at least 8 characters.'

export const codeProblem = (code: string): string | undefined =>
  /^\d{6}$/.test(code) ? undefined : 'The code has six digits.'

export const digits = (typed: string): string => typed.replace(/\D/g, '')
