import { getState } from '#sync/database/device/state.ts'
import type { SomaDb } from '../../soma-db.ts'

export type HelpContacts = {
  supportPhone?: string
  whatsapp?: string
  termsUrl?: string
  terms?: string
  announcement?: string
}

/** Numbers to call and write to for help, the terms and their address, and what the office announces, as far as the server has told this phone (R162, R204). */
export async function helpContacts(db: SomaDb): Promise<HelpContacts> {
  const config = ((await getState(db, 'config')) ?? {}) as Record<keyof HelpContacts, unknown>
  return {
    supportPhone: textOf(config.supportPhone),
    whatsapp: textOf(config.whatsapp),
    termsUrl: webAddressOf(config.termsUrl),
    terms: textOf(config.terms),
    announcement: textOf(config.announcement),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Any other address could run a script. */
const webAddressOf = (value: unknown) => {
  const text = textOf(value)
  return text && /^https?:\/\//i.test(text) ? text : undefined
}
