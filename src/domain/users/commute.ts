import * as z from 'zod/mini'

/**
 * A way that a driver goes regularly (R166). `from`, `to`: zones' names, or `*` for any zone. `days`: 1 Monday to
 * 7 Sunday. `leaves`: when they leave, `07:00` in Ghana, whose time is UTC. `returns`: when they leave for the way back.
 * `notify`: they are told of new jobs on it.
 */
export const Commute = z.object({
  from: z.string(),
  to: z.string(),
  days: z.array(z.number()),
  leaves: z.optional(z.string()),
  returns: z.optional(z.string()),
  notify: z.boolean(),
})
export type Commute = z.infer<typeof Commute>
