import type { NotificationKind } from '#domain/notifications/kinds.ts'
import { minute } from '#domain/product.ts'
import type { PushMessage } from '../ports/push-port.ts'

const hour = 60 * minute

/** How a kind is sent. `worth`: milliseconds after the event for which it is worth sending. */
type Terms = Pick<PushMessage, 'urgency'> & { worth: number; sms?: true }

const day = 24 * hour
const usual: Terms = { urgency: 'normal', worth: day }
const urgent: Terms = { urgency: 'high', worth: day }

/** With `sms` an SMS goes where no push was confirmed (R119). */
export const termsOf: Record<NotificationKind, Terms> = {
  accepted: urgent,
  released: usual,
  // The sender must share the code before the hand-over.
  'picked-up': { ...urgent, sms: true },
  delivered: { ...urgent, sms: true },
  'approval-due': { urgency: 'normal', worth: 365 * day, sms: true },
  approved: usual,
  cancelled: urgent,
  attempt: urgent,
  'wrong-code': urgent,
  returning: urgent,
  dispute: { ...usual, worth: 3 * day },
  application: { ...usual, worth: 3 * day },
  'new-job': { urgency: 'low', worth: hour / 2 },
  'office-dispute': usual,
  'office-application': usual,
  'office-money': usual,
  'office-server': { urgency: 'high', worth: hour },
}

/** Milliseconds from the first try of a push until an SMS goes in its place (R119). */
export const smsDelay = 5 * minute

/** SMS of this kind to one phone in a day, and the share of the day's budget that they may use (R119). */
export const smsLimit = { ofPhone: 6, shareOfDay: 0.5 }

/**
 * Limits of messages about new jobs (R120). `ofDriver`: to one driver a day; `ofGuests`: of these, about
 * guests' requests; `ofJob`: drivers for one job; `ofSender`: jobs of one sender or guest a day. Guests'
 * numbers are not confirmed, so their requests must not use up a driver's messages.
 */
export const jobLimit = { ofDriver: 5, ofGuests: 3, ofJob: 100, ofSender: 3 }
