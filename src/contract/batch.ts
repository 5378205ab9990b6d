import * as z from 'zod/mini'

/*
 * `POST /batch` (R88): many operations in one request, one line of the response for each. The
 * schemas are for the server and its description; a client imports the types alone.
 */

/** The most operations in one batch. */
const maxOperations = 100

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const BatchOperation = z.object({
  /** The request key, in the spelling in which its line names it. */
  key: z.string().check(z.regex(uuid, 'Each operation needs a key that is a UUID.')),
  method: z.string(),
  /** Below `/api`, with its query. */
  path: z.string().check(z.startsWith('/', 'The path of an operation begins with a slash.')),
  body: z.optional(z.unknown()),
  /** ISO 8601: when the person acted. */
  occurredAt: z.optional(z.string()),
  /** The solution of the challenge that its line brought (R143). */
  challenge: z.optional(z.string()),
  /** Keys of operations that must succeed first. One that is not in the batch went earlier. */
  after: z.optional(z.array(z.string())),
})
export type BatchOperation = z.infer<typeof BatchOperation>

/** The body of a batch. */
export const Batch = z.object({
  operations: z
    .array(BatchOperation)
    .check(
      z.minLength(1, 'A batch needs at least one operation.'),
      z.maxLength(maxOperations, `A batch has at most ${maxOperations} operations.`),
    ),
})

/** One line of the response: what the operation's single call would say. */
export const BatchLine = z.object({
  key: z.string(),
  status: z.number(),
  body: z.unknown(),
  /** Seconds, where the single response has `Retry-After`. */
  retryAfter: z.optional(z.number()),
})
export type BatchLine = z.infer<typeof BatchLine>
