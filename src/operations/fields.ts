import * as z from 'zod/mini'
import { maxName, maxText } from '#domain/deliveries/draft.ts'
import { hasUnseen } from '#domain/users/name.ts'
import { isPhone } from '#domain/users/phone.ts'

/*
 * Fields of request bodies. A refinement's message is a sentence for people; the server responds 400 with the first one.
 */

/**
 * A schema that only the server reads. A build that does not use it leaves it out: it knows that calling this changes
 * nothing, which it cannot know of a schema's `check`.
 */
/* @__NO_SIDE_EFFECTS__ */
export function body<S>(make: () => S): S {
  return make()
}

export const requiredText = (what: string, maxLength = maxText) =>
  z.string(`${what} is required.`).check(
    z.trim(),
    z.minLength(1, `${what} is required.`),
    z.maxLength(maxLength, `${what} is too long.`),
    z.refine((text) => !text.includes('\u0000'), `${what} has a character that cannot be kept.`),
  )

/** A text that may be empty. */
export const anyText = (what: string, maxLength = maxText) =>
  z.string(`${what} must be a text.`).check(
    z.trim(),
    z.maxLength(maxLength, `${what} is too long.`),
    z.refine((text) => !text.includes('\u0000'), `${what} has a character that cannot be kept.`),
  )

/** Words that may be left out; empty ones count as none. */
export const optionalText = (what: string, maxLength = maxText) =>
  z.optional(
    z.pipe(
      anyText(what, maxLength),
      z.transform((text: string) => text || undefined),
    ),
  )

export const Phone = body(() =>
  z
    .string('Phone number must be exactly 10 digits.')
    .check(z.refine(isPhone, 'Phone number must be exactly 10 digits.')),
)

/** Of a zone or an item type. */
export const Name = body(() =>
  requiredText('Name', maxName).check(
    z.refine((name) => !hasUnseen(name), 'A name cannot have characters that are not seen.'),
  ),
)

/** Of a zone: routes and ways are written with these between and in place of names (R95). */
export const ZoneName = body(() =>
  Name.check(
    z.refine((name) => !/[|*]/.test(name), 'The name of a zone cannot have the signs | and *.'),
  ),
)

/** A guest's token is enough; a phone that is sent must be theirs. */
export const guestPhone = body(() => ({ guestPhone: z.optional(Phone) }))
