import * as z from 'zod/mini'

/** What two accounts have in common, or what else may be fraud (R203). */
export const SignKind = z.enum([
  'id-number',
  'phone',
  'photo',
  'device',
  'pair',
  'cancels',
  'give-backs',
])
export type SignKind = z.infer<typeof SignKind>

/** A sign of fraud. `people`: the other accounts. `count` of `of`: deliveries of a pair, cancels, give-backs (R203). */
export const Sign = z.object({
  kind: SignKind,
  people: z.array(z.object({ ID: z.string(), name: z.string() })),
  count: z.optional(z.number()),
  of: z.optional(z.number()),
})
export type Sign = z.infer<typeof Sign>

/** What the office writes down about a person, who never reads it (R202). `by`: the admin's name. */
const Note = z.object({ ID: z.string(), text: z.string(), by: z.string(), at: z.string() })

/** What admins read of a person beside their account and their newest deliveries. Times are ISO 8601. */
export const PersonFacts = z.object({
  joinedAt: z.string(),
  /** The newest first. */
  sessions: z.array(z.object({ device: z.string(), createdAt: z.string(), usedAt: z.string() })),
  notes: z.array(Note),
  /** Of the newest deliveries. */
  disputes: z.array(
    z.object({ ID: z.string(), issue: z.string(), status: z.string(), at: z.string() }),
  ),
  gaveBack: z.number(),
  signs: z.array(Sign),
})
export type PersonFacts = z.infer<typeof PersonFacts>
