import * as z from 'zod/mini'

/** Longest words of a rating, in characters (R113). */
export const maxRatingWords = 1_000
/** Milliseconds in which one person's ratings of another count once (R137). */
export const pairCountsOnceIn = 30 * 24 * 60 * 60_000
/** An average is shown from so many ratings on (R113). */
const leastRatings = 3

/** What one side says of the other after a delivery: 1 to 5 stars (R113). */
export const Rating = z.object({
  stars: z.number(),
  words: z.optional(z.string()),
  at: z.string(),
  /** False where it is in no average (R137); missing where it is. */
  counted: z.optional(z.boolean()),
})
export type Rating = z.infer<typeof Rating>

/** The ratings of one delivery, by the side that gave them. */
export const Ratings = z.object({
  sender: z.optional(Rating),
  driver: z.optional(Rating),
})
export type Ratings = z.infer<typeof Ratings>

/** What a person's ratings come to: the average with one decimal, and how many there are. */
export const RatingSummary = z.object({ average: z.number(), count: z.number() })
export type RatingSummary = z.infer<typeof RatingSummary>

/** The summary of so many stars in so many ratings; `undefined` while there are too few to show (R113). */
export const summaryOf = (stars: number, count: number): RatingSummary | undefined =>
  count < leastRatings ? undefined : { average: Math.round((stars / count) * 10) / 10, count }
