import type { Activity, AuditEntry, DriverCounts, Stats, Trends } from '#contract/answers.ts'
import type { Choice } from '#domain/choices.ts'
import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import type { Dispute, DisputeStatus } from '#domain/deliveries/dispute.ts'
import type { NotificationKind } from '#domain/notifications/kinds.ts'
import type { NotifiedRoute } from '#domain/notifications/settings.ts'
import type { DriverApplication, IdType } from '#domain/users/driver.ts'
import type { Licence } from '#domain/users/licence.ts'
import type { DriverStatus, User } from '#domain/users/user.ts'
import type { ChangeEvent } from '../rules/change-events.ts'
import type { Transfer } from '../rules/ledger.ts'
import type { PushSubscription } from './push.ts'

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
  codes: Codes
  attempts: Attempts
  requests: Requests
  deliveries: Deliveries
  guestTokens: GuestTokens
  zones: Choices
  items: Choices
  applications: Applications
  disputes: Disputes
  activities: Activities
  audit: Audit
  devices: Devices
  photos: Photos
  ledger: Ledger
  settings: Settings
  /** Missing where nobody is told with the app closed: in the demo. */
  notifications?: Notifications
  stats(): Promise<Stats>
  /** What keeps statistics quick. Missing where they are counted each time: in the demo. */
  rollups?: Rollups
  /** Statistics of the `days` days that end with the day of `at`. */
  trends(days: number, at: string): Promise<Trends>
  /** Published when the transaction commits, and only then. */
  publish(news: ChangeEvent): Promise<void>
}

/** A page of a list. `after` is the `next` of the page before (opaque); `sort` names a field, `-` before it reverses the order. */
export type Page = { limit: number; after?: string; sort?: string; search?: string }
export type Paged<T> = { rows: T[]; next?: string; total: number }

export type Account = User & { passwordHash: string; createdAt: string }

export type Users = {
  get(id: string): Promise<User | undefined>
  /** As `get`, and nobody changes the row until this transaction ends. */
  lockShared(id: string): Promise<User | undefined>
  /** As `get`, for a caller that changes the row: others wait until this transaction ends. */
  lock(id: string): Promise<User | undefined>
  byEmail(email: string): Promise<Account | undefined>
  /** The account that verified this number. */
  byVerifiedPhone(phone: string): Promise<User | undefined>
  /** The newest account with this number, its own or pending, that has not verified it. */
  byUnverifiedPhone(phone: string): Promise<User | undefined>
  /** When a confirmed number last replaced another (R10); `undefined` when none did. */
  phoneChangedAt(id: string): Promise<string | undefined>
  /** When a driver joined, and how many of their deliveries were approved (R114). */
  driverRecord(id: string): Promise<{ since: string; deliveries: number }>
  /** Counts one rating of this person; returns them as they are rated now (R113). */
  rate(id: string, stars: number): Promise<User | undefined>
  findAdmin(): Promise<User | undefined>
  add(account: Account): Promise<void>
  change(id: string, change: UserChange): Promise<void>
  list(page: Page): Promise<Paged<User>>
}
/** Missing fields stay unchanged; a `pendingPhone`, `photo` or `licence` of null is removed. */
type UserChange = Partial<
  Pick<Account, 'phone_number' | 'Verified' | 'driverStatus' | 'passwordHash' | 'notifications'>
> & {
  pendingPhone?: string | null
  phoneChangedAt?: string
  photo?: string | null
  licence?: Licence | null
}

/** A session holds the hash of its token. Times are ISO 8601, as everywhere in the stores. */
export type StoredSession = {
  hash: string
  userId: string
  /** The ID by which its owner ends it. */
  id: string
  createdAt: string
  usedAt: string
  /** Browser and system in a few words, or empty. */
  device: string
}
/** A session with its owner as they are now. */
export type FoundSession = { user: User; createdAt: string; usedAt: string }
export type Sessions = {
  add(session: StoredSession): Promise<void>
  find(hash: string): Promise<FoundSession | undefined>
  /** Those of these that are there, by their hash. */
  findMany(hashes: string[]): Promise<Map<string, FoundSession>>
  touch(hash: string, usedAt: string): Promise<void>
  end(hash: string): Promise<void>
  /** Newest first. */
  listOf(userId: string): Promise<StoredSession[]>
  /** Ends the session of this id if it is this person's; false when there is none. */
  endOf(userId: string, id: string): Promise<boolean>
  endAllOf(userId: string): Promise<void>
  /** Deletes sessions unused since `usedBefore`, or created before `createdBefore`. */
  sweep(usedBefore: string, createdBefore: string): Promise<void>
}

/** `recover`: a guest proves the phone of their deliveries (R109). */
export type Purpose = 'verify' | 'reset' | 'recover'
export type Code = {
  /** Of the account; of a guest the newest of their deliveries. */
  userId: string
  purpose: Purpose
  phone: string
  hash: string
  wrong: number
  expiresAt: string
}
export type Codes = {
  /** Replaces the person's earlier code of that purpose. */
  put(code: Code): Promise<void>
  /** Every code that was sent to this number for this purpose, locked until the transaction ends. */
  lock(phone: string, purpose: Purpose): Promise<Code[]>
  countWrong(code: Code): Promise<void>
  end(userId: string, purpose: Purpose): Promise<void>
  sweep(expiredBefore: string): Promise<void>
}

/** Attempts that are limited, counted for all server processes. */
export type Attempts = {
  /** Others that lock this key wait until the transaction ends. */
  lock(key: string): Promise<void>
  /** Times of the attempts after `since`, oldest first. */
  since(key: string, since: string): Promise<string[]>
  /** The number of attempts after `since`. */
  count(key: string, since: string): Promise<number>
  add(attempt: { id: string; key: string; at: string }): Promise<void>
  removeById(id: string): Promise<void>
  forget(key: string): Promise<void>
  sweep(before: string): Promise<void>
}

export type StoredAnswer = { fingerprint: string; status: number; sealed: Uint8Array }
export type Requests = {
  find(id: string): Promise<StoredAnswer | undefined>
  /** The answered ones of these, by ID. */
  findMany(ids: string[]): Promise<Map<string, StoredAnswer>>
  /** False when it was claimed before; waits for a claim that is still open. */
  claim(id: string, fingerprint: string, at: string): Promise<boolean>
  answer(id: string, status: number, sealed: Uint8Array): Promise<void>
  /** Deletes one, answered or claimed. */
  remove(id: string): Promise<void>
  /** Answered ones with a greater ID, in order of ID. */
  page(after: string, limit: number): Promise<(StoredAnswer & { id: string })[]>
  sweep(before: string): Promise<void>
}

/** A delivery with every field. `trackHash`: of the recipient's token (R111), which nobody is shown. */
export type NewDelivery = Delivery & { trackHash?: string }
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
/** `atLeast`: more is found than is counted, at least so many whatever their status; `counts` is empty then. */
export type SearchCounts = { counts: StatusCounts; atLeast?: number }
export type Deliveries = {
  get(id: string): Promise<StoredDelivery | undefined>
  /** As `get`, and others that change it wait until this transaction ends. */
  lock(id: string): Promise<StoredDelivery | undefined>
  add(delivery: NewDelivery): Promise<StoredDelivery>
  /** `before` is locked. `updatedAt` always grows: of two changes the later one has the later time. */
  save(before: StoredDelivery, after: Delivery): Promise<StoredDelivery>
  /** Those whose `dueAt` has come and that no other transaction holds; locked, at most `limit` of them (R106). */
  lockDue(at: string, limit: number): Promise<StoredDelivery[]>
  /**
   * The newest 50 deliveries that guests with this phone asked for and that have not ended, or ended since
   * `endedSince` (R109).
   */
  ofGuest(phone: string, endedSince: string): Promise<StoredDelivery[]>
  /** A person's deliveries, as sender or driver, that are neither Approved nor Cancelled; locked, in order of ID. */
  lockUnfinishedOf(userId: string): Promise<StoredDelivery[]>
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

export type Choices = {
  list(): Promise<Choice[]>
  has(name: string): Promise<boolean>
  add(choice: Choice, at: string): Promise<void>
  /** False when there was none. */
  remove(id: string): Promise<boolean>
}

export type Applications = {
  add(application: {
    userId: string
    idType: IdType
    idNumber: string
    idPhoto: string
    createdAt: string
  }): Promise<void>
  get(userId: string): Promise<DriverApplication | undefined>
  /** `at`: when it was decided. */
  change(userId: string, status: DriverStatus, at: string): Promise<void>
  /** Applications whose ID photo is not marked private; `isShared` when a delivery names the photo too. */
  withPublicPhoto(): Promise<{ userId: string; idPhoto: string; isShared: boolean }[]>
  changePhoto(userId: string, idPhoto: string): Promise<void>
  /** E-mails of the drivers whose ID photo has this file name. */
  ownersOfPhoto(name: string): Promise<string[]>
  /**
   * Empties the ID photo of every application decided before that time, unless a dispute about a delivery
   * of its driver is open. Returns the photos that no application names any more.
   */
  dropPhotos(decidedBefore: string): Promise<string[]>
  list(page: Page, status?: DriverStatus): Promise<Paged<DriverApplication>>
  counts(): Promise<DriverCounts>
}

/** As it is reported: open. */
export type NewDispute = Required<Omit<Dispute, 'status' | 'resolution' | 'ResolvedAt'>>
export type Disputes = {
  add(dispute: NewDispute): Promise<void>
  get(id: string): Promise<Dispute | undefined>
  /** Everything reported about one delivery, the first report first. */
  ofDelivery(deliveryId: string): Promise<Dispute[]>
  /** Returns the resolved dispute; `undefined` when it was not open. */
  resolve(
    id: string,
    how: { resolution: string; at: string; by: string },
  ): Promise<Dispute | undefined>
  list(page: Page, status?: DisputeStatus): Promise<Paged<Dispute>>
}

export type Activities = {
  add(activity: Activity): Promise<void>
  /** Newest first. */
  list(limit: number): Promise<Activity[]>
}

/** Admins' actions (R57). Append-only. */
export type Audit = {
  add(entry: AuditEntry): Promise<void>
  /** Newest first unless sorted otherwise; `search` looks through every field. */
  list(page: Page): Promise<Paged<AuditEntry>>
}

/** What a phone last reported, by its support code (R92). Missing fields are not known. */
export type StoredDevice = {
  code: string
  /** When it was last heard of. */
  at: string
  queueLength: number
  clientVersion?: number
  /** Who was last logged in there. */
  userId?: string
}
export type Devices = {
  get(code: string): Promise<StoredDevice | undefined>
  /** Replaces what the code's phone reported; missing fields stay. False when the code is unknown. */
  touch(device: StoredDevice): Promise<boolean>
  /** Nothing happens when the code is there already. */
  add(device: StoredDevice): Promise<void>
  /** Deletes phones not heard of since this time. */
  sweep(before: string): Promise<void>
}

/** A photo of the built-in provider, by its file name. */
export type StoredPhoto = {
  name: string
  /** Readable by admins alone. */
  isPrivate: boolean
  /** A delivery or an application names it. */
  isUsed: boolean
  bytes: number
  /** A keyed hash of the address it was sent from. */
  uploader: string
  at: string
}
export type Photos = {
  get(name: string): Promise<StoredPhoto | undefined>
  /** As `get`, and nobody changes the row until this transaction ends. */
  lock(name: string): Promise<StoredPhoto | undefined>
  /** The photos that exist with these names. */
  getMany(names: string[]): Promise<StoredPhoto[]>
  /**
   * Replaces an unused photo of that name. False when a private photo has the name, which then stays
   * unchanged.
   */
  add(photo: StoredPhoto): Promise<boolean>
  /** Marks it as used. Does nothing when there is none. */
  use(name: string): Promise<void>
  /** Marks it as private and used; adds it when there is none. */
  makePrivate(name: string, at: string): Promise<void>
  remove(name: string): Promise<void>
  /** The bytes one uploader stored since that time, and the time of the first upload. */
  storedBy(uploader: string, since: string): Promise<{ bytes: number; first?: string }>
  /**
   * Claims at most `limit` photos that nothing uses and that are older than `before`, and returns their
   * names: whoever claims a photo removes its file and then its row. A claimed photo counts as private and
   * as old as `at`, so until then `add` gives its name to nobody, and nobody else claims it before `at` is
   * old too.
   */
  claimUnused(before: string, at: string, limit: number): Promise<string[]>
  /** Claims a name without a row, in the same way. False when it has one. */
  claim(name: string, at: string): Promise<boolean>
}

export type Ledger = {
  post(transfer: Transfer): Promise<void>
  of(deliveryId: string): Promise<Transfer[]>
  /** In pesewas. */
  balance(account: string): Promise<number>
}

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
export type Notifications = {
  /** Replaces the subscription of its owner, and other sessions' subscriptions of that address. */
  subscribe(subscription: StoredSubscription, at: string): Promise<void>
  unsubscribe(owner: StoredSubscription['owner']): Promise<void>
  /** The newest ones, at most 20. */
  subscriptionsOf(to: { user: string } | { guestOf: string }): Promise<PushSubscriptionRow[]>
  /** Deletes every subscription of this address. */
  endSubscriptions(endpoint: string): Promise<void>
  add(notification: StoredNotification): Promise<void>
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
  /** IDs of at most `limit` approved drivers without a job who want to hear of this route and have a subscription. */
  driversFor(route: NotifiedRoute, limit: number): Promise<string[]>
  /** Deletes those that happened before this time. */
  sweep(before: string): Promise<void>
}
export type PushSubscriptionRow = PushSubscription & { id: string }

/** Counts and sums that statistics are made of. */
type Rollups = {
  /** Adds up what changes have added since the last time. */
  fold(): Promise<void>
  /** Counts everything anew. Needs a transaction of its own, with nothing before it. */
  rebuild(): Promise<void>
  /** How many of them differ from what is stored. */
  countWrong(): Promise<number>
}

/** Names the number of the database's newest migration. */
export const newestMigrationSetting = 'newest migration'

export type Settings = {
  get(name: string): Promise<string | undefined>
  /** Stores the value unless the name has one, and returns the stored value. */
  keep(name: string, value: string): Promise<string>
  remove(name: string): Promise<void>
}
