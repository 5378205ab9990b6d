import * as z from 'zod/mini'

/** Longest note of an item, in characters (R160). */
export const maxItemNote = 200

/** How big an item is: it fits in a bag, on a motorbike, or needs a car. */
export const ItemSize = z.enum(['small', 'medium', 'large'])
export type ItemSize = z.infer<typeof ItemSize>

/** What a request says of its item beside its name (R160): drivers read it before they accept. */
export const ItemDetails = z.object({
  note: z.optional(z.string()),
  size: z.optional(ItemSize),
  fragile: z.optional(z.boolean()),
})
export type ItemDetails = z.infer<typeof ItemDetails>

/** These fields of a request or a delivery, the note trimmed; what is empty is left out. */
export function itemDetailsOf({ note, size, fragile }: ItemDetails): ItemDetails {
  const words = note?.trim()
  return {
    ...(words ? { note: words } : {}),
    ...(size ? { size } : {}),
    ...(fragile ? { fragile } : {}),
  }
}
