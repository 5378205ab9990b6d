import { getState } from '#sync/database/device/state.ts'
import type { SomaDb } from '../../soma-db.ts'

export type HelpContacts = { supportPhone?: string; termsUrl?: string; announcement?: string }

/** The number to call for help, the address of the terms, and what the office announces, as far as the server has told this phone (R162, R204). */
export async function helpContacts(db: SomaDb): Promise<HelpContacts> {
  const config = ((await getState(db, 'config')) ?? {}) as Record<keyof HelpContacts, unknown>
  return {
    supportPhone: textOf(config.supportPhone),
    termsUrl: webAddressOf(config.termsUrl),
    announcement: textOf(config.announcement),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Any other address could run a script. */
const webAddressOf = (value: unknown) => {
  const text = textOf(value)
  return text && /^https?:\/\//i.test(text) ? text : undefined
}
