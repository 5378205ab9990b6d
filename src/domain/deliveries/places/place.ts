import * as z from 'zod/mini'

/** Longest text or note of a place, in characters (R112). */
export const maxPlaceText = 200

const text = z.string().check(
  z.trim(),
  z.maxLength(maxPlaceText, `A place has at most ${maxPlaceText} characters.`),
  z.refine((typed) => !typed.includes('\u0000'), 'A place has a character that cannot be kept.'),
)
const degrees = (most: number) =>
  z
    .number('A pin has numbers of degrees.')
    .check(
      z.minimum(-most, 'That pin is not on the map.'),
      z.maximum(most, 'That pin is not on the map.'),
    )

/** Where the door is: a landmark or GhanaPostGPS address, a note, and a pin in degrees (R112). */
export const Place = z
  .object({
    text: z.optional(text),
    note: z.optional(text),
    lat: z.optional(degrees(90)),
    lng: z.optional(degrees(180)),
  })
  .check(
    z.refine(
      ({ lat, lng }) => (lat === undefined) === (lng === undefined),
      'A pin needs both its latitude and its longitude.',
    ),
  )
export type Place = z.infer<typeof Place>
export type Pin = { lat: number; lng: number }

/**
 * A place as it is typed (R112). Any length, because a draft that cannot be sent is kept too. `accuracy`: how
 * far the pin may be off, in metres; it stays on this phone.
 */
export const TypedPlace = z.object({
  text: z.optional(z.string()),
  note: z.optional(z.string()),
  lat: z.optional(z.number()),
  lng: z.optional(z.number()),
  accuracy: z.optional(z.number()),
})
export type TypedPlace = z.infer<typeof TypedPlace>

/** The place as a request carries it: trimmed, without what is empty; `undefined` where nothing was said. */
export function placeOf(typed: TypedPlace | undefined): Place | undefined {
  const [text, note] = [typed?.text?.trim(), typed?.note?.trim()]
  const place = { ...(text ? { text } : {}), ...(note ? { note } : {}), ...pinOf(typed ?? {}) }
  return isPlace(place) ? place : undefined
}

/** What is wrong with a typed place, at the field where it can be mended. */
export function placeProblems(
  typed: TypedPlace | undefined,
): { at: 'text' | 'note'; text: string }[] {
  const { error } = Place.safeParse(placeOf(typed) ?? {})
  return (error?.issues ?? []).map(({ path, message }) => ({
    at: path[0] === 'note' ? 'note' : 'text',
    text: message,
  }))
}

/** Five decimals of a degree are about a metre, which finds every door (R112). */
const rounded = (degrees: number) => Math.round(degrees * 100_000) / 100_000

/** The pin of a place, with five decimals; `undefined` for none. */
export const pinOf = ({ lat, lng }: Place): Pin | undefined =>
  lat === undefined || lng === undefined ? undefined : { lat: rounded(lat), lng: rounded(lng) }

/** Whether anything is known of it. */
export const isPlace = (place: Place | undefined): place is Place =>
  place !== undefined && Boolean(place.text || place.note || pinOf(place))

/** The address that opens the phone's own map. */
export const mapAddress = ({ lat, lng }: Pin): string => `geo:${lat},${lng}?q=${lat},${lng}`
