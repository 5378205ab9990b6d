import { jsonItem } from '../../../browser/json-storage.ts'

/**
 * The typed sign-up form in session storage, because a phone low on memory may kill the page while the
 * camera is open. The password is never stored.
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
