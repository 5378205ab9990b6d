import { type Delivery, isStatusStep, type StatusChange } from '#domain/deliveries/delivery.ts'
import { isClaimed, isHeld, lateSteps } from '#domain/deliveries/endings/cancel-hold.ts'
import {
  AttemptReason,
  type EndingTerms,
  type Incident,
  returnShareOf,
} from '#domain/deliveries/endings/incidents.ts'
import { lastOfOffice } from '#domain/deliveries/office/office.ts'
import { isDirect } from '#domain/deliveries/payment.ts'
import { shortPrice, toCedis, toPesewas } from '#domain/money.ts'
import { firstNameOf } from '#domain/users/user.ts'
import { clockTime } from './time.ts'

/* Texts of give-backs, attempts, returns and decisions (R101 to R108). */

/** What the driver chooses from when the parcel could not be handed over (R102). */
export const attemptReasons: readonly (readonly [AttemptReason, string])[] = [
  ['absent', 'Nobody is there'],
  ['refused', "They don't want it"],
  ['wrong-place', 'The place is wrong'],
  ['unsafe', "It isn't safe"],
]

const attemptTexts: Record<AttemptReason, string> = {
  absent: 'nobody was there',
  refused: 'the recipient refused it',
  'wrong-place': 'the place was wrong',
  unsafe: "it wasn't safe",
}

/** Why a parcel could not be handed over, after a colon. */
export function attemptText(reason: string): string {
  const known = AttemptReason.safeParse(reason)
  return known.success ? attemptTexts[known.data] : reason
}

/** What a driver chooses from when they give the job back (R101). */
export const releaseReasons = [
  'My vehicle broke down',
  "I can't get there in time",
  'Item is not as described',
] as const

/** What a sender chooses from when they cancel, and an admin (R161). */
export const cancelReasons = [
  "I don't need it any more",
  'Found another way',
  'Wrong details',
] as const
export const officeCancelReasons = [
  'The sender asked us to',
  'It was requested twice',
  "It can't be carried",
] as const

/**
 * Who cancelled a delivery and why, as its reader calls them: `Ama: Wrong details` (R161). Nothing where the sender
 * said nothing.
 */
export function cancelText(view: Delivery, as: 'sender' | 'driver'): string | undefined {
  const { by, reason } = cancelOf(view) ?? {}
  if (by === 'office') return reason ? `Support: ${reason}` : 'By support'
  if (!reason) return undefined
  const name = view.sender?.name ?? view.senderName
  return `${as === 'sender' ? 'You' : name ? firstNameOf(name) : 'The sender'}: ${reason}`
}

const cancelOf = ({ history = [] }: Delivery) =>
  history.findLast(({ status, late }) => status === 'Cancelled' && !late)

/** That support cancelled it and why, in a sentence; nothing where its sender did (R161). */
export function supportCancelText(view: Delivery): string | undefined {
  const { by, reason } = cancelOf(view) ?? {}
  if (by !== 'office') return undefined
  return reason ? dot(`Support cancelled it: ${reason}`) : 'Support cancelled it.'
}

/** The same as what has happened: `Ama cancelled: Wrong details`. */
export function cancelTitle(view: Delivery): string | undefined {
  const { by, reason } = cancelOf(view) ?? {}
  const name = view.sender?.name ?? view.senderName
  const who = by === 'office' ? 'Support' : name ? firstNameOf(name) : 'The sender'
  return reason ? `${who} cancelled: ${reason}` : undefined
}

/** Names of what the office corrects (R193). */
const fieldNames: Record<string, string> = {
  pickupZone: 'pickup zone',
  dropoffZone: 'drop-off zone',
  pickupPlace: 'pickup place',
  dropoffPlace: 'drop-off place',
  recipientName: "recipient's name",
  recipientPhone: "recipient's number",
}

type Corrected = Pick<StatusChange, 'corrected'>

/** `recipient's number and drop-off place`. */
const correctedText = ({ corrected = [] }: Corrected): string =>
  corrected.map((field) => fieldNames[field] ?? field).join(' and ')

const isRefund = ({ corrected }: Corrected): boolean => corrected?.includes('driverShare') === true

/** A correction in the timeline: `Corrected: drop-off place`, or `Refunded` (R228). */
export const correctionText = (step: Corrected): string =>
  isRefund(step) ? 'Refunded' : `Corrected: ${correctedText(step)}`

/** What support has just done, as a title: `Support gave it to Kofi: Bike broke down` (R191); nothing of a cancel. */
export function supportTitle(view: Delivery, as: 'sender' | 'driver'): string | undefined {
  const step = lastOfOffice(view)
  if (!step || step.status === 'Cancelled' || step.offer !== undefined) return undefined
  const { driver } = view
  const given =
    as === 'driver' ? 'gave you this job' : `gave it to ${firstNameOf(driver?.name ?? '')}`
  const done = isRefund(step)
    ? 'refunded the sender'
    : step.corrected
      ? `corrected the ${correctedText(step)}`
      : step.status === 'Accepted'
        ? given
        : step.status === 'Approved'
          ? 'approved it'
          : 'put it back on offer'
  return `Support ${done}${step.reason ? `: ${step.reason}` : ''}`
}

/** With a full stop, where it ends without one. */
export const dot = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** `Kofi gave the job back: My vehicle broke down.`, or that support took it from him (R192). */
export function releaseText({ name, reason, by }: Incident): string {
  const who = name ? firstNameOf(name) : 'The driver'
  const done =
    by === 'office'
      ? `Support took the job from ${name ? who : 'the driver'}`
      : `${who} gave the job back`
  return `${done}${reason ? `: ${dot(reason)}` : '.'}`
}

/** The latest failed attempt, if there was one. */
export const lastAttempt = ({ incidents = [] }: Delivery): Incident | undefined =>
  incidents.findLast(({ kind }) => kind === 'attempt')

/** How the job came back on offer (R101); nothing where it was never accepted. */
export function whyOnOffer({ incidents = [], history = [] }: Delivery): string | undefined {
  const offered = history.findLast((step) => step.status === 'Pending' && isStatusStep(step))
  if (!offered || !history.some(({ status }) => status === 'Accepted')) return undefined
  const released = incidents.findLast(({ kind }) => kind === 'release')
  return released?.at === offered.at ? releaseText(released) : "Your driver can't come."
}

/** When what the person did counts as done: `14:05` (R133). */
export const actedAt = ({ at, effectiveAt }: Pick<Incident, 'at' | 'effectiveAt'>): string =>
  clockTime(effectiveAt ?? at)

/** What each side gets of an offer, in cedis. */
export type Shares = { driver: number; sender: number }

/** `driverShare` in cedis. */
export const sharesOf = (offer: number, driverShare: number): Shares => ({
  driver: driverShare,
  sender: toCedis(toPesewas(offer) - toPesewas(driverShare)),
})

/** What each side gets of a parcel's offer once its return is confirmed (R105). */
export const returnShares = ({ offer }: Delivery, terms: EndingTerms): Shares =>
  sharesOf(offer, returnShareOf(offer, terms.returnShare))

/** What each side got of a cancelled delivery's offer. */
export const endedShares = ({ offer, driverShare = 0 }: Delivery): Shares =>
  sharesOf(offer, driverShare)

/**
 * What its sender reads of a delivery whose offer was divided: `Kofi gets ₵45, ₵15 comes back to you.`, or, where they pay
 * the driver themselves, `You pay Kofi ₵45, not ₵60.` (R171)
 */
export function sharesText(view: Delivery, name: string): string {
  const { driver, sender } = endedShares(view)
  if (isDirect(view)) return owedText({ driver, sender }, name)
  if (driver === 0) return `${shortPrice(sender)} comes back to you.`
  if (sender === 0) return `${name} gets ${shortPrice(driver)}.`
  return `${name} gets ${shortPrice(driver)}, ${shortPrice(sender)} comes back to you.`
}

/** What the sender owes the driver of an offer that was, or will be, divided (R171). */
export function owedText({ driver, sender }: Shares, name: string, price = shortPrice): string {
  if (driver === 0) return 'You owe nothing.'
  const whole = toCedis(toPesewas(driver) + toPesewas(sender))
  return `You pay ${name} ${price(driver)}${sender === 0 ? '' : `, not ${price(whole)}`}.`
}

/** `Kofi picked it up before the cancel.`: what was reported after it (R124). */
export function lateText(view: Delivery, name: string): string {
  const last = lateSteps(view).at(-1)?.status
  const done =
    last === 'Delivered' ? 'delivered it' : last === 'Cancelled' ? 'returned it' : 'picked it up'
  return `${name} ${done} before the cancel.`
}

/** In a list, beside the status: what its word alone does not say. */
export function exitNote(view: Delivery): string | undefined {
  const { status, outcome, decision, payout } = view
  if (status === 'Cancelled') {
    if (outcome === 'returned') return 'Returned'
    if (outcome === 'split') return 'Offer split'
    if (isClaimed(view)) return 'Decision pending'
    if (isHeld(view)) return isDirect(view) ? 'Driver to confirm' : 'Money held'
    if (decision?.kind !== 'refund') return undefined
    return isDirect(view) ? 'Nothing to pay' : 'Refunded'
  }
  if (status === 'Approved') return payout?.status === 'waiting' ? 'Not paid yet' : undefined
  if (view.disputed && (status === 'Delivered' || view.returning)) return 'Decision pending'
  if (status !== 'Picked Up') return undefined
  if (view.contested) return 'Decision pending'
  if (view.returning) return 'Coming back'
  return view.attempts ? "Couldn't deliver" : undefined
}
