import type { NotificationKind } from '#domain/notifications/kinds.ts'
import { minute } from '#domain/product.ts'
import type { PushMessage } from '../ports/push-port.ts'

const hour = 60 * minute

/** How a kind is sent. `worth`: milliseconds from when it happened until nobody wants to know any more. */
type Terms = Pick<PushMessage, 'urgency'> & { worth: number; sms?: true }

const day = 24 * hour
const usual: Terms = { urgency: 'normal', worth: day }
const urgent: Terms = { urgency: 'high', worth: day }

/** With `sms` an SMS goes where no push was confirmed (R119). */
export const termsOf: Record<NotificationKind, Terms> = {
  accepted: urgent,
  released: usual,
  // The recipient cannot receive anything before their sender has shared the code.
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
}

/** Milliseconds from the first try of a push until an SMS goes in its place (R119). */
export const smsDelay = 5 * minute

/** SMS of this kind to one phone in a day, and the share of the day's budget that they may use (R119). */
export const smsLimit = { ofPhone: 6, shareOfDay: 0.5 }

/**
 * Messages about new jobs to one driver in a day, how many of these about guests' requests, drivers who are told of one
 * job, and jobs of one sender or guest that are told in a day. A guest's phone is not proved, so that a stranger can
 * use many: they must not use up what drivers may be told (R120).
 */
export const jobLimit = { ofDriver: 5, ofGuests: 3, ofJob: 100, ofSender: 3 }
