import { asciiDigits } from '../digits.ts'
import type { IdType } from './driver.ts'

/** The text to show when an ID number is wrong (R6); `undefined` when it is right. */
export function idNumberProblem(type: IdType, number: string): string | undefined {
  if (type === 'ghana_card')
    return /^GHA-\d{9}-\d$/.test(number) ? undefined : 'Format must be GHA-123456789-0.'
  return /^[A-Z]{1,2}\d{6,7}$/.test(number) ? undefined : 'Format must be A1234567 or AB123456.'
}

/** What stands before every number of a Ghana Card. */
export const ghanaCardStart = 'GHA-'

/** Begins with `GHA-`, which cannot be deleted, and hyphenates as the person types: `1234567890` becomes `GHA-123456789-0` (R6). */
export function formatGhanaCard(typed: string): string {
  const digits = asciiDigits(typed).replace(/\D/g, '')
  const check = digits.slice(9, 10)
  return `${ghanaCardStart}${digits.slice(0, 9)}${check && `-${check}`}`
}

/** Uppercases and drops spaces and signs as the person types; 9 characters at most (R6). */
export const formatPassport = (typed: string): string =>
  asciiDigits(typed)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 9)
