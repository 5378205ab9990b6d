import { asciiDigits } from '../digits.ts'
import { isGhanaPhone, isPhone, normalizePhone } from '../users/phone.ts'

/** Signs between the digits of a phone number. */
const inPhone = /^\+?[\d\s().-]+$/
/** A part of a number while it is typed: with a hyphen it may be part of an ID. */
const partOfPhone = /^\+?[\d\s]{3,}$/

/**
 * What a search looks for: the text that somebody typed, without spaces around it, and a phone number, or its beginning,
 * in the ten digits in which numbers are stored (R186): `+233 24 412 3456` becomes `0244123456`.
 */
export function soughtText(typed: string): string {
  const text = typed.trim()
  const ascii = asciiDigits(text)
  if (!inPhone.test(ascii)) return text
  const phone = normalizePhone(ascii)
  if (isGhanaPhone(phone)) return phone
  if (!partOfPhone.test(ascii)) return text
  return ascii.startsWith('+') ? phone : ascii.replace(/\s/g, '')
}

/** Whether the text may be a part of a phone number, an e-mail address or an ID number: names hold none of these. */
export const mayBeContact = (text: string): boolean => /[@.]|\d{3}/.test(text)

/** The whole number that somebody looks for; undefined where it is another text. */
export const soughtPhone = (text: string): string | undefined => (isPhone(text) ? text : undefined)
