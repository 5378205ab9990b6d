import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import type { PaymentMode } from '#domain/deliveries/payment.ts'
import type { Ratings } from '#domain/users/rating.ts'
import type { RouteOnWay } from '#domain/zones/on-the-way.ts'
import type { Page } from './paging.ts'

/**
 * A delivery with every field. Nobody is shown `trackHash`, of the recipient's token (R111), and `payments`: the mode that
 * it began with and ends by, missing in deliveries of earlier versions (R171).
 */
export type NewDelivery = Delivery & { trackHash?: string; payments?: PaymentMode }
/** `version` counts its changes. */
export type StoredDelivery = NewDelivery & { version: number }
/** The deliveries of a list: `of` selects by what never changes, `statuses` by what does. */
export type DeliveryList = {
  of:
    | { sender: string }
    | { driver: string }
    | { party: string }
    | { forDriver: string }
    | 'everyone'
  /** Narrows by what never changes, too: a zone's name, and times in ISO 8601. */
  only?: { pickupZone?: string; dropoffZone?: string; createdFrom?: string; createdBefore?: string }
  statuses?: Status[]
  /** Of requests that no driver sees until they are paid (R173, R232): only these, or none of them. */
  unpaid?: boolean
  /** Only these routes, the smallest detour first where the page names no order (R164). For `list` alone. */
  routes?: readonly RouteOnWay[]
}
export type DeliveryPage = {
  rows: StoredDelivery[]
  /**
   * Only with a valid `since`: the IDs that left the list (R73). Of available jobs, those that were Pending
   * after the cursor was made; of a driver's jobs, also those taken from them.
   */
  removed?: string[]
  cursor: string
  next?: string
}
/** How many of each status a list would have without its `statuses`; no entry for none. */
export type StatusCounts = Partial<Record<Status, number>>
/**
 * `counts` has only paid requests in Pending, `unpaid` counts the others. `atLeast`: more is found than is counted,
 * at least so many whatever their status; `counts` is empty then.
 */
export type SearchCounts = { counts: StatusCounts; unpaid?: number; atLeast?: number }
/** Counts by status, with unpaid requests apart. */
export const withoutUnpaid = (
  { Pending = 0, ...counts }: StatusCounts,
  unpaid: number,
): SearchCounts => ({
  counts: Pending > unpaid ? { Pending: Pending - unpaid, ...counts } : counts,
  unpaid: unpaid || undefined,
})
/** Who rates whom: `side` is the rater's. A sender is also whoever has the same number, as a guest or in an account. */
type RatingPair = {
  side: keyof Ratings
  driver: string
  sender: { id?: string; phone: string }
}
/** The offer of an Approved delivery, in cedis, and whose it was. */
export type ApprovedOffer = Pick<Delivery, 'offer' | 'pickupZone' | 'dropoffZone'> & {
  senderId?: string
  senderPhone: string
}
export type Deliveries = {
  get(id: string): Promise<StoredDelivery | undefined>
  /** As `get`, and others that change it wait until this transaction ends. */
  lock(id: string): Promise<StoredDelivery | undefined>
  add(delivery: NewDelivery): Promise<StoredDelivery>
  /** `before` is locked. `updatedAt` always grows: of two changes the later one has the later time. */
  save(before: StoredDelivery, after: Delivery): Promise<StoredDelivery>
  /**
   * Those whose `dueAt` has come and that are not disputed (R106), and those whose `refundDueAt` has (R123); none that
   * another transaction holds. Locked, at most `limit` of them.
   */
  lockDue(at: string, limit: number): Promise<StoredDelivery[]>
  /**
   * At most 50 deliveries that guests with this phone asked for and that have not ended, or ended since
   * `endedSince`: first those under way, then those on offer, then the ended ones, the newest first (R109).
   */
  ofGuest(phone: string, endedSince: string): Promise<StoredDelivery[]>
  /** How many requests of guests with this phone have not ended. */
  countOpenOfGuest(phone: string): Promise<number>
  /** Whether a rating between these two that counts was given since then, in this direction (R137). */
  hasCountedRating(pair: RatingPair, since: string): Promise<boolean>
  /** At most 50 deliveries of guests with this phone whose rating of the driver does not count; not locked (R137). */
  uncountedOfGuest(phone: string): Promise<StoredDelivery[]>
  /** How many jobs were last taken from this driver, or given back by them. */
  countReleased(driverId: string): Promise<number>
  /** A person's deliveries, as sender or driver, that are neither Approved nor Cancelled; locked, in order of ID. */
  lockUnfinishedOf(userId: string): Promise<StoredDelivery[]>
  /** Offers of Approved deliveries, the newest first: of one route created since then, or of all. */
  approvedOffers(
    limit: number,
    route?: { pickupZone: string; dropoffZone: string; since: string },
  ): Promise<ApprovedOffer[]>
  /**
   * A driver's deliveries that were delivered or have ended, requested before a time and last changed since another:
   * among them all that were delivered, or ended undelivered, between these times. In no order.
   */
  earnedBy(driverId: string, changedSince: string, createdBefore: string): Promise<StoredDelivery[]>
  /** How many that have not ended are from or to a zone of these names, or of this item (R208). */
  countLive(of: { zones: readonly string[] } | { item: string }): Promise<number>
  list(list: DeliveryList, page: Page, since?: string): Promise<DeliveryPage>
  /** As `list`, with the counts of everything that the page's search finds. */
  listCounted(list: DeliveryList, page: Page, since?: string): Promise<DeliveryPage & SearchCounts>
  countByStatus(list: DeliveryList): Promise<StatusCounts>
}

export type GuestTokens = {
  add(hash: string, deliveryId: string): Promise<void>
  /** Its delivery, unless that was Approved or Cancelled before `endedBefore`. */
  find(hash: string, endedBefore: string): Promise<string | undefined>
  /** As `find`, for several: the delivery of each by its hash. */
  findMany(hashes: string[], endedBefore: string): Promise<Map<string, string>>
  /** Deletes every token of this delivery. */
  endAllOf(deliveryId: string): Promise<void>
  /** Deletes the tokens of deliveries that were Approved or Cancelled before this time. */
  sweep(endedBefore: string): Promise<void>
}
