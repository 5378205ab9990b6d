import * as z from 'zod/mini'
import { type OfficeSettings, officeSettings } from '#domain/office/settings.ts'
import { send } from '../endpoint.ts'
import { anyText, body, Phone } from '../fields.ts'
import { operation } from '../operation.ts'

const orNothing = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

/** An admin changes what the office sets for everybody (R204). What is missing stays, null removes it. */
export const changeSettings = operation({
  input: z.object({
    supportPhone: orNothing(z.string()),
    whatsapp: orNothing(z.string()),
    termsUrl: orNothing(z.string()),
    announcement: orNothing(z.string()),
    pausedUntil: orNothing(z.string()),
    openingHours: orNothing(z.object({ from: z.string(), to: z.string() })),
    terms: orNothing(z.string()),
    privacy: orNothing(z.string()),
  } satisfies Record<keyof OfficeSettings, z.ZodMiniType>),
  body: (input) => input,
  call: send('PATCH', '/admin/settings', 'admin', z.object({ settings: z.object(officeSettings) })),
})

/** The most characters of an announcement, and of the terms or the privacy text. */
const maxAnnouncement = 300
const maxOfficeText = 10_000

const clock = body(
  () => () =>
    z
      .string('A time is written as 06:00.')
      .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time is written as 06:00.')),
)

/** What the server takes of it; the end of a pause is checked with the clock. Empty texts count as none. */
export const changeSettingsBody = body(() =>
  z.object({
    supportPhone: orNothing(Phone),
    whatsapp: orNothing(Phone),
    termsUrl: orNothing(
      z.string('The address of the terms must be a text.').check(
        z.maxLength(1_000, 'The address of the terms is too long.'),
        z.refine(
          (text) => /^https?:\/\//i.test(text) && URL.canParse(text),
          'The address of the terms begins with http:// or https://.',
        ),
      ),
    ),
    announcement: orNothing(anyText('The announcement', maxAnnouncement)),
    pausedUntil: orNothing(
      z
        .string('The end of the pause is a time.')
        .check(
          z.refine(
            (text) => text.length <= 40 && !Number.isNaN(Date.parse(text)),
            'The end of the pause is a time.',
          ),
        ),
    ),
    openingHours: orNothing(
      z
        .object({ from: clock(), to: clock() })
        .check(z.refine(({ from, to }) => from !== to, 'The opening hours begin and end.')),
    ),
    terms: orNothing(anyText('The terms', maxOfficeText)),
    privacy: orNothing(anyText('The privacy text', maxOfficeText)),
  }),
)
