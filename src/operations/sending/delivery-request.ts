import * as z from 'zod/mini'
import { maxName } from '#domain/deliveries/draft.ts'
import { Sha256 } from '#domain/deliveries/handover/handover.ts'
import { ItemDetails, ItemSize, maxItemNote } from '#domain/deliveries/item.ts'
import { Place } from '#domain/deliveries/places/place.ts'
import { isAmount } from '#domain/money.ts'
import { Network } from '#domain/users/payout-number.ts'
import { body, optionalText, Phone, requiredText } from '../fields.ts'
import type { RequestContext } from '../operation.ts'

/** What the outbox stores of a request. `photo`: on this phone. */
export const requestInput = {
  itemDescription: z.string(),
  pickupZone: z.string(),
  dropoffZone: z.string(),
  recipientName: z.string(),
  recipientPhone: z.string(),
  offer: z.number(),
  ...ItemDetails.shape,
  photo: z.string(),
  handoverHash: z.optional(z.string()),
  trackHash: z.optional(z.string()),
  pickupPlace: z.optional(Place),
  dropoffPlace: z.optional(Place),
  payer: z.optional(z.object({ phone: z.string(), network: z.string() })),
}

/** An amount in cedis that somebody offers (R21). */
export const offerField = () =>
  z
    .number('The offer must be a number.')
    .check(
      z.refine(isAmount, 'The offer must be above 0, at most 100000, with at most two decimals.'),
    )

/** The mobile money account that pays, where a provider holds the money (R173). */
export const Payer = body(() =>
  z.object({
    phone: Phone,
    network: z.enum(Network.options, 'The network must be mtn, vod or atl.'),
  }),
)

/** What the server takes of a request. */
export const requestFields = body(() => ({
  pickupZone: requiredText('Pickup zone'),
  dropoffZone: requiredText('Drop-off zone'),
  itemDescription: requiredText('Item description'),
  recipientName: requiredText('Recipient name', maxName),
  recipientPhone: Phone,
  offer: offerField(),
  itemPhoto: requiredText('Item photo'),
  note: optionalText('Note', maxItemNote),
  size: z.optional(z.enum(ItemSize.options, 'Size must be small, medium or large.')),
  fragile: z.optional(z.boolean('Fragile must be true or false.')),
  /** SHA-256 of the hand-over's secret, and of the recipient's track token (R110, R111). */
  handoverHash: z.optional(Sha256),
  trackHash: z.optional(Sha256),
  pickupPlace: z.optional(Place),
  dropoffPlace: z.optional(Place),
  payer: z.optional(Payer),
}))

type Route = { pickupZone: string; dropoffZone: string }
export const zonesDiffer = body(() =>
  z.refine<Route>(
    (route) => route.pickupZone !== route.dropoffZone,
    'Pickup and drop-off zones cannot be the same.',
  ),
)

/** The body of a request: the photo's address in place of the photo. */
export const requestBody = <I extends { photo: string }>(
  { photo: _, ...rest }: I,
  { photoUrl }: RequestContext,
) => ({ ...rest, itemPhoto: photoUrl })
