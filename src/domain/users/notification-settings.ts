import * as z from 'zod/mini'

/** A route to hear of new jobs on: two zones' names, or `*` for any zone. */
export const NotifiedRoute = z.object({ from: z.string(), to: z.string() })
export type NotifiedRoute = z.infer<typeof NotifiedRoute>

/** Hours of the day in Ghana, 0 to 23. From 21 to 6 lasts nine hours; two equal hours are none at all. */
export const QuietHours = z.object({ from: z.number(), to: z.number() })
export type QuietHours = z.infer<typeof QuietHours>

/**
 * What a person chose (R121). Every field may be missing, and reads as its default; kinds and fields of a newer
 * version are ignored.
 */
export const NotificationSettings = z.object({
  /** Kinds that are switched off. */
  off: z.optional(z.array(z.string())),
  routes: z.optional(z.array(NotifiedRoute)),
  quiet: z.optional(QuietHours),
})
export type NotificationSettings = z.infer<typeof NotificationSettings>
