import * as z from 'zod/mini'

/**
 * What the office sets for everybody (R204); what it has not set is missing. `supportPhone`, `whatsapp`: ten digits.
 * `openingHours`: `06:00` in Ghana, whose time is UTC; `to` is the first minute that is closed. `terms`, `privacy`: texts.
 */
export const officeSettings = {
  supportPhone: z.optional(z.string()),
  whatsapp: z.optional(z.string()),
  termsUrl: z.optional(z.string()),
  announcement: z.optional(z.string()),
  pausedUntil: z.optional(z.string()),
  openingHours: z.optional(z.object({ from: z.string(), to: z.string() })),
  terms: z.optional(z.string()),
  privacy: z.optional(z.string()),
}
const OfficeSettings = z.object(officeSettings)
export type OfficeSettings = z.infer<typeof OfficeSettings>
/** What is missing stays; null removes it. */
export type SettingsChange = { [K in keyof OfficeSettings]?: OfficeSettings[K] | null }
