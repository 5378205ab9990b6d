import type { NotificationKind, OfficeKind } from '#domain/notifications/kinds.ts'
import type { Span, Trip } from '#domain/users/commutes.ts'
import type { PushSubscription } from '../push-port.ts'

/** A browser that is told, and the hash of the session or guest token it belongs to and ends with (R117). */
type StoredSubscription = PushSubscription & {
  id: string
  owner: { session: string } | { guest: string }
}

/** Who is told: a person, the guest of the delivery, or every driver who wants to hear of its route (R120). */
export type Addressee = { user: string } | 'guest' | 'route'

/** One message to one addressee, until it is sent or no longer worth it. */
export type StoredNotification = {
  id: string
  kind: NotificationKind
  to: Addressee
  /** Missing for an application. */
  deliveryId?: string
  /** When it happened. */
  at: string
  /** When there is something to do for it next. */
  dueAt: string
  tries: number
  /** IDs of subscriptions that have not got it; missing before the first try. */
  remaining?: string[]
  /** When an SMS goes in its place, unless it was confirmed (R119). */
  smsAt?: string
}
/** Trips on whose way a job is (`*` is any zone), that start at these times or, without times, on this day. */
export type ToldTrips = { ways: Trip[]; departures: Span[]; day: number }

export type Notifications = {
  /** Replaces the subscription of its owner, and other sessions' subscriptions of that address. */
  subscribe(subscription: StoredSubscription, at: string): Promise<void>
  unsubscribe(owner: StoredSubscription['owner']): Promise<void>
  /** The newest ones, at most 20. */
  subscriptionsOf(to: { user: string } | { guestOf: string }): Promise<PushSubscriptionRow[]>
  /** Deletes every subscription of this address. */
  endSubscriptions(endpoint: string): Promise<void>
  add(notification: StoredNotification): Promise<void>
  /** Adds one for each admin who has a subscription, but for `except` (R224). It is due at once. */
  addForOffice(
    about: Pick<StoredNotification, 'deliveryId' | 'at'> & { kind: OfficeKind; except?: string },
  ): Promise<void>
  /** The browsers of all admins who want to be told of this kind. */
  subscriptionsOfOffice(kind: OfficeKind): Promise<PushSubscriptionRow[]>
  /**
   * At most `limit` of those that are due and that no other process takes at the same time. Each has one try
   * more, and is due again at `until`. The oldest first.
   */
  take(at: string, limit: number, until: string): Promise<StoredNotification[]>
  change(
    id: string,
    change: Pick<StoredNotification, 'dueAt' | 'tries'> &
      Partial<Pick<StoredNotification, 'remaining' | 'smsAt'>>,
  ): Promise<void>
  /** False when there was none. */
  remove(id: string): Promise<boolean>
  removeAll(ids: string[]): Promise<void>
  /** Deletes those of this kind about this delivery. */
  removeOf(kind: NotificationKind, deliveryId: string): Promise<void>
  /** IDs of at most `limit` approved drivers without a job who are told of these trips (R167) and have a subscription. */
  driversFor(told: ToldTrips, limit: number): Promise<string[]>
  /** Deletes those that happened before this time. */
  sweep(before: string): Promise<void>
}
export type PushSubscriptionRow = PushSubscription & { id: string }
