import { jsonItem } from '../../browser/json-storage.ts'

/**
 * What was typed into the sign-up form, for as long as the tab lives: reading an SMS or opening the
 * camera may kill the page on a cheap phone. The password is never kept.
 */
const typed = jsonItem(() => sessionStorage, 'signupDraft')

export function restoreSignup<T extends Record<string, string>>(start: T): T {
  const known = Object.entries(typed.get() ?? {}).filter(
    ([name, value]) => name in start && typeof value === 'string',
  )
  return { ...start, ...Object.fromEntries(known) }
}

export const saveSignup = ({ password: _, ...rest }: Record<string, string>): void =>
  typed.set(rest)

export const clearSignup = (): void => typed.remove()
