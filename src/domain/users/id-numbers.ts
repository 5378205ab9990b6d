import type { IdType } from './driver.ts'

/** Length of a Ghana Card number, in characters (R6). */
export const ghanaCardLength = 15

/** The text to show when an ID number is wrong (R6); `undefined` when it is right. */
export function idNumberProblem(type: IdType, number: string): string | undefined {
  if (type === 'ghana_card')
    return /^GHA-\d{9}-\d$/.test(number) ? undefined : 'Format must be GHA-123456789-0.'
  return /^[A-Z]{1,2}\d{6,7}$/.test(number) ? undefined : 'Format must be A1234567 or AB123456.'
}

/** Uppercases and hyphenates as the person types: `gha1234567890` becomes `GHA-123456789-0` (R6). */
export function formatGhanaCard(typed: string): string {
  const bare = typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const parts = [bare.slice(0, 3), bare.slice(3, 12), bare.slice(12, 13)]
  return parts.filter((part) => part !== '').join('-')
}

/** Uppercases and drops spaces and signs as the person types; 9 characters at most (R6). */
export const formatPassport = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 9)
