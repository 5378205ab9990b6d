import type { Stats, Trends, Work } from '#contract/responses.ts'
import type { ChangeEvent } from './change-events.ts'
import type {
  Codes,
  ConfirmedPhones,
  Invitations,
  Sessions,
  Users,
} from './stores/account-stores.ts'
import type { Deliveries, GuestTokens } from './stores/delivery-stores.ts'
import type { Notifications } from './stores/notification-store.ts'
import type { Payments } from './stores/payment-store.ts'
import type { PersonalData } from './stores/personal-store.ts'
import type { Photos } from './stores/photo-store.ts'
import type {
  Activities,
  Applications,
  Audit,
  Choices,
  Devices,
  Disputes,
  Ledger,
  Rollups,
  UserNotes,
  Zones,
} from './stores/record-stores.ts'
import type { Attempts, Requests } from './stores/request-store.ts'
import type { Settings } from './stores/settings-store.ts'

/**
 * The server's database. One adapter is over PostgreSQL, one over IndexedDB. IndexedDB ends a transaction
 * that waits for anything else, so the work of `transaction` awaits nothing but the stores it gets (no
 * hashing, no fetch). The work may run again when the database asks for it.
 *
 * The adapter holds the constraints that two callers at once could break, and throws them as
 * Refusals: `active-job`, `active-delivery`, `email-taken`, `phone-taken`, `name-taken`,
 * `key-reused` (an ID that exists), and `unavailable` when the database cannot be reached.
 */
export type Repo = {
  transaction<T>(work: (stores: Stores) => Promise<T>): Promise<T>
  /** For work that only reads: each statement sees what is committed by then. */
  read<T>(work: (stores: Stores) => Promise<T>): Promise<T>
  /**
   * As `read`, at a replica that has what was committed when the read began, where there is one: for work that is
   * expensive. Missing where there are no replicas. The work may run again.
   */
  readAtReplica?<T>(work: (stores: Stores) => Promise<T>): Promise<T>
  /**
   * Subscribes to the events of every server process over this database (R75), after their commit. `onGap`
   * is called when events may have been missed. Every listener gets the same events in the same order; two
   * processes know an event by the same ID, or by different ones where their order may differ. Returns the
   * function that unsubscribes.
   */
  listen(onEvent: (news: ChangeEvent, eventId: string) => void, onGap: () => void): () => void
  ping(): Promise<void>
  close(): Promise<void>
}

export type Stores = {
  users: Users
  sessions: Sessions
  invitations: Invitations
  codes: Codes
  confirmedPhones: ConfirmedPhones
  attempts: Attempts
  requests: Requests
  deliveries: Deliveries
  guestTokens: GuestTokens
  zones: Zones
  items: Choices
  applications: Applications
  userNotes: UserNotes
  disputes: Disputes
  activities: Activities
  audit: Audit
  devices: Devices
  photos: Photos
  ledger: Ledger
  payments: Payments
  settings: Settings
  personal: PersonalData
  /** Missing in the demo, which sends no notifications. */
  notifications?: Notifications
  stats(): Promise<Stats>
  /** What waits for the office at that time (R187); a kind without any is left out. */
  work(at: string): Promise<Work[]>
  /** Precomputed statistics. Missing in the demo, which counts each time. */
  rollups?: Rollups
  /** Statistics of the `days` days that end with the day of `at`. */
  trends(days: number, at: string): Promise<Trends>
  /** Published when the transaction commits, and only then. */
  publish(news: ChangeEvent): Promise<void>
}
