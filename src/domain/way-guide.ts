import * as z from 'zod/mini'

/* What a sender reads of a way before they offer. Without its rules, which a phone's first page need not load. */

/** What drivers get for a way: the median and the middle half of the offers, in cedis, of so many jobs (R168). */
export const PriceGuide = z.object({
  median: z.number(),
  low: z.number(),
  high: z.number(),
  count: z.number(),
})
export type PriceGuide = z.infer<typeof PriceGuide>

/** About how many drivers go a way in the morning and in the evening (R170). */
export const WayDrivers = z.object({ morning: z.number(), evening: z.number() })
export type WayDrivers = z.infer<typeof WayDrivers>
