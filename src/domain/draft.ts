import * as z from 'zod/mini'
import { reasonTexts } from './errors.ts'
import { isValidOffer, maxOffer } from './money.ts'
import { isPhone } from './phone.ts'

/** Longest text anywhere in a request (interfaces: names and values). */
export const maxText = 1_000
/** Longest name of a person, zone or item, and longest e-mail. */
export const maxName = 200
export const maxEmail = 254

/** The send form as typed, saved on every keystroke; `photo` is a local photo's id. */
export const SendDraft = z.object({
  itemDescription: z.string(),
  pickupZone: z.string(),
  dropoffZone: z.string(),
  recipientName: z.string(),
  recipientPhone: z.string(),
  offer: z.string(),
  photo: z.optional(z.string()),
  senderName: z.string(),
  senderPhone: z.string(),
  /** What has to be through before it may leave: the end of the request it takes the place of. */
  after: z.optional(z.string()),
})
export type SendDraft = z.infer<typeof SendDraft>
export type DraftField = Exclude<keyof SendDraft, 'after'>

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

/** Whether a person has begun to ask for something; their own name stands there by itself. */
export const hasContent = ({ senderName, senderPhone, ...typed }: SendDraft): boolean =>
  Object.values(typed).some((value) => value !== '' && value !== undefined && value !== null)

export type DraftProblem = { field: DraftField; title: string; text: string }

/** Everything wrong with a draft, in the order of the form; titles and texts of spec §5 and §8. */
export function validateDraft(draft: SendDraft, mode: 'guest' | 'account'): DraftProblem[] {
  const problems: DraftProblem[] = []
  const say = (field: DraftField, title: string, text: string) =>
    problems.push({ field, title, text })
  const required = (field: DraftField, label: string, most = maxText) => {
    const value = draft[field] ?? ''
    if (value.trim() === '') say(field, 'Missing Details', `${label} is required.`)
    else if (value.length > most) say(field, 'Missing Details', `${label} is too long.`)
  }
  const phone = (field: 'recipientPhone' | 'senderPhone') => {
    if (!isPhone(draft[field]))
      say(field, 'Invalid Phone Number', 'Phone number must be exactly 10 digits.')
  }
  if (mode === 'guest') {
    required('senderName', 'Your name', maxName)
    phone('senderPhone')
  }
  required('itemDescription', 'Item description')
  required('pickupZone', 'Pickup zone')
  required('dropoffZone', 'Drop-off zone')
  if (draft.pickupZone !== '' && draft.pickupZone === draft.dropoffZone)
    say('dropoffZone', 'Invalid Zones', reasonTexts['same-zones'])
  required('recipientName', 'Recipient name', maxName)
  phone('recipientPhone')
  if (!isValidOffer(Number(draft.offer || Number.NaN)))
    say('offer', 'Invalid Offer', `The offer must be above 0 and at most ${maxOffer} cedis.`)
  if (!draft.photo) say('photo', 'Photo Required', reasonTexts['photo-not-hosted'])
  return problems
}
