import * as z from 'zod/mini'
import { type Endpoint, endpoints, type Op } from './endpoints.ts'

/** Operations in one batch. */
export const mostOperations = 100

/** What `POST /batch` takes. `path`: below the API's base; `after`: keys of operations that must succeed first. */
export const BatchRequest = z.object({
  operations: z
    .array(
      z.object({
        key: z.guid(),
        method: z.enum(['POST', 'PATCH', 'DELETE']),
        path: z.string().check(z.startsWith('/'), z.maxLength(200)),
        body: z.optional(z.unknown()),
        occurredAt: z.optional(z.string()),
        after: z.optional(z.array(z.guid()).check(z.maxLength(mostOperations))),
      }),
    )
    .check(z.minLength(1), z.maxLength(mostOperations)),
})
export type BatchOperation = z.infer<typeof BatchRequest>['operations'][number]

/** One line of the answer. `retryAfter`: seconds, where the single call's answer has `Retry-After`. */
export type BatchLine = { key: string; status: number; body: unknown; retryAfter?: number }

/** Calls that cannot wait, or whose answer is for the screen alone: logging in, codes and passwords. */
const singleCalls: ReadonlySet<Op> = new Set<Op>([
  'login',
  'signup',
  'requestReset',
  'resetPassword',
  'confirmPhone',
  'resendCode',
])

/** Whether a call may be an operation of a batch. */
export const mayBeInBatch = (op: Op): boolean =>
  (endpoints[op] as Endpoint).method !== 'GET' && !singleCalls.has(op)
