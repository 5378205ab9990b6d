import { apart } from '../../place.ts'

const key = `${apart}signupDraft`

/**
 * What was typed into the sign-up form, for as long as the tab lives: reading an SMS or opening the
 * camera may kill the page on a cheap phone. The password is never kept.
 */
export function keptSignup<T extends Record<string, string>>(start: T): T {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    const known = Object.entries(kept ?? {}).filter(
      ([name, value]) => name in start && typeof value === 'string',
    )
    return { ...start, ...Object.fromEntries(known) }
  } catch {
    return start
  }
}

export function keepSignup({ password: _, ...typed }: Record<string, string>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(typed))
  } catch {
    // A browser that forbids storage: the form then lives as long as its page.
  }
}

export function forgetSignup(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept.
  }
}
