import * as z from 'zod/mini'
import { secretPattern } from './handover-link.ts'

/** SHA-256 in hex: 64 digits. Capitals are read as small letters. */
export const Sha256 = z.pipe(
  z.string().check(z.regex(/^[0-9a-f]{64}$/i, 'A hash has 64 hex digits.')),
  z.transform((text: string) => text.toLowerCase()),
)

/** The secret of a hand-over, as `secretPattern` says. */
export const HandoverSecret = z
  .string('The secret is not right.')
  .check(z.regex(secretPattern, 'The secret is not right.'))
