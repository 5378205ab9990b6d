import { asciiDigits } from '../digits.ts'

/** Exactly ten digits, the national form of a Ghanaian number (R8). */
export const isPhone = (text: string): boolean => /^\d{10}$/.test(text)

/** A number of Ghana in its national form (R146). Others are stored from earlier versions. */
export const isGhanaPhone = (text: string): boolean => /^0[2-5]\d{8}$/.test(text)

/** What is wrong with a number that somebody gives; `undefined` when it can be taken (R8, R146). */
export function phoneProblem(text: string): string | undefined {
  if (!isPhone(text)) return 'Phone number must be exactly 10 digits.'
  return isGhanaPhone(text)
    ? undefined
    : 'Enter a Ghana phone number. It starts with 02, 03, 04 or 05.'
}

/**
 * Brings what a person types or pastes (`024 412-3456`, `+233244123456`, `00233 (0) 244123456`) to ten digits (R8), in digits of any script, while
 * it is typed too: no number of Ghana begins with 233. Of any other number it returns the digits, which `phoneProblem`
 * then refuses.
 */
export function normalizePhone(text: string): string {
  const digits = asciiDigits(text).replace(/\D/g, '')
  const [, rest] = /^(?:00)?233(\d+)$/.exec(digits) ?? []
  return rest === undefined ? digits : `0${rest.replace(/^0/, '')}`
}

/** `0244123456` as `233244123456`, the form that SMS gateways and WhatsApp links need. */
export const internationalPhone = (phone: string): string => phone.replace(/^0/, '233')
