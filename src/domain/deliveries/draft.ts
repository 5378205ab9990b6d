import * as z from 'zod/mini'
import { reasonTexts } from '../errors.ts'
import { networkFor } from '../mobile-money/networks.ts'
import { isValidOffer, maxOfferText, parseAmount, shortPrice } from '../money.ts'
import { nameProblem } from '../users/name.ts'
import { phoneProblem } from '../users/phone.ts'
import { ItemDetails, maxItemNote } from './item.ts'
import { placeOf, placeProblems, TypedPlace } from './places/place.ts'

/** Longest text anywhere in a request, in characters (R20). */
export const maxText = 1_000
/** Longest reason of a cancel, in characters (R161). */
export const maxReason = 200
/** Longest name of a person, zone or item, and longest e-mail (R20). */
export const maxName = 200
export const maxEmail = 254

/** Whose mobile money pays, as typed. An empty network is the one that the number's first digits name (R173). */
export const TypedPayer = z.object({ phone: z.string(), network: z.string() })
export type TypedPayer = z.infer<typeof TypedPayer>

/** The send form as typed, saved on every keystroke. `photo`: the ID of a photo on this phone. */
export const SendDraft = z.object({
  itemDescription: z.string(),
  pickupZone: z.string(),
  dropoffZone: z.string(),
  recipientName: z.string(),
  recipientPhone: z.string(),
  offer: z.string(),
  ...ItemDetails.shape,
  photo: z.optional(z.string()),
  senderName: z.string(),
  senderPhone: z.string(),
  /** The outbox entry that must be done before this request is sent: the cancel of the request it replaces. */
  after: z.optional(z.string()),
  pickupPlace: z.optional(TypedPlace),
  dropoffPlace: z.optional(TypedPlace),
  /** Only where a provider holds the money. */
  payer: z.optional(TypedPayer),
})
export type SendDraft = z.infer<typeof SendDraft>
/** The fields that are one text, and the photo. */
export type PlainField = Exclude<
  keyof SendDraft,
  'after' | 'pickupPlace' | 'dropoffPlace' | 'size' | 'fragile' | 'payer'
>
export type Side = 'pickup' | 'dropoff'
/** The texts of a place. */
export type PlaceField = `${Side}Place.${'text' | 'note'}`
export type DraftField = PlainField | PlaceField | 'payer.phone' | 'payer.network'

export const emptyDraft: SendDraft = {
  itemDescription: '',
  pickupZone: '',
  dropoffZone: '',
  recipientName: '',
  recipientPhone: '',
  offer: '',
  senderName: '',
  senderPhone: '',
}

/** Whether anything was typed. The sender's own name and phone do not count: the app fills them in. */
export const hasContent = (draft: SendDraft): boolean => {
  const { senderName, senderPhone, pickupPlace, dropoffPlace, payer, ...typed } = draft
  const texts = Object.values(typed)
  return [...texts, placeOf(pickupPlace), placeOf(dropoffPlace)].some((value) => Boolean(value))
}

/** `title`: a word before the text, where it has one. */
export type DraftProblem = { field: DraftField; title?: string; text: string }

/**
 * Everything wrong with a draft, in the order of the form (R8, R20, R21, R22). An empty list: it can be sent.
 * `leastOffer` in cedis, as far as it is known.
 */
export function validateDraft(
  draft: SendDraft,
  mode: 'guest' | 'account',
  leastOffer = 0,
): DraftProblem[] {
  const problems: DraftProblem[] = []
  const add = (field: DraftField, text: string, title?: string) =>
    problems.push({ field, text, title })
  const required = (field: PlainField, label: string, maxLength = maxText) => {
    const value = draft[field] ?? ''
    if (value.trim() === '') add(field, `${label} is required.`)
    else if (value.length > maxLength) add(field, `${label} is too long.`)
  }
  const name = (field: 'recipientName' | 'senderName', label: string) => {
    required(field, label, maxName)
    const problem = nameProblem(draft[field].trim())
    if (problem) add(field, problem)
  }
  const phone = (field: 'recipientPhone' | 'senderPhone') => {
    const problem = phoneProblem(draft[field])
    if (problem) add(field, problem)
  }
  if (mode === 'guest') {
    name('senderName', 'Your name')
    phone('senderPhone')
  }
  required('itemDescription', 'Item description')
  if ((draft.note?.trim().length ?? 0) > maxItemNote)
    add('note', `A note has at most ${maxItemNote} characters.`)
  required('pickupZone', 'Pickup zone')
  required('dropoffZone', 'Drop-off zone')
  if (draft.pickupZone !== '' && draft.pickupZone === draft.dropoffZone)
    add('dropoffZone', reasonTexts['same-zones'], 'Invalid Zones')
  for (const side of ['pickup', 'dropoff'] as const)
    for (const { at, text } of placeProblems(draft[`${side}Place`])) add(`${side}Place.${at}`, text)
  name('recipientName', 'Recipient name')
  phone('recipientPhone')
  const offer = offerProblem(draft.offer, leastOffer)
  if (offer) add('offer', offer)
  if (draft.payer) {
    const problem = phoneProblem(draft.payer.phone)
    if (problem) add('payer.phone', problem)
    else if (!networkFor(draft.payer)) add('payer.network', 'Choose the network.')
  }
  if (!draft.photo) add('photo', reasonTexts['photo-not-hosted'], 'Photo Required')
  return problems
}

/** What is wrong with an offer as it was typed (R21). `least` in cedis. */
export function offerProblem(typed: string, least: number): string | undefined {
  if (typed.trim() === '') return `Enter an offer, up to ${maxOfferText}`
  const offer = parseAmount(typed)
  if (offer === undefined) return 'Write the offer like 60.50 or 1,000'
  if (!isValidOffer(offer)) return `Enter an offer, up to ${maxOfferText}`
  if (!isValidOffer(offer, least)) return `Enter an offer of at least ${shortPrice(least)}`
  return undefined
}
