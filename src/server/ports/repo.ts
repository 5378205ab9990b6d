import type { Activity, AuditEntry, DriverCounts, Stats, Trends } from '#contract/answers.ts'
import type { Choice } from '#domain/choices.ts'
import type { Delivery, Status } from '#domain/delivery.ts'
import type { Dispute, DisputeStatus } from '#domain/dispute.ts'
import type { DriverApplication, IdType } from '#domain/driver.ts'
import type { DriverStatus, User } from '#domain/user.ts'
import type { ChangeEvent } from '../rules/change-events.ts'
import type { Transfer } from '../rules/ledger.ts'

/**
 * Where the server keeps things. One adapter speaks to PostgreSQL; another may speak to IndexedDB,
 * so inside `transaction` nothing may be awaited but the stores it hands over (no hashing, no
 * fetch), and its work may be run again when the database asks for it.
 *
 * Constraints that two callers at once could break are the adapter's to hold. It throws them as
 * Refusals: `active-job`, `active-delivery`, `email-taken`, `phone-taken`, `name-taken`,
 * `key-reused` (an ID that exists), and `unavailable` when the database cannot be reached.
 */
export type Repo = {
  transaction<T>(work: (stores: Stores) => Promise<T>): Promise<T>
  /** For answers that only read: each statement sees what is committed by then. */
  read<T>(work: (stores: Stores) => Promise<T>): Promise<T>
  /**
   * Hears what any server process over this database announced after it committed; `lost` when some
   * may have been missed. ResponseOf back the function that ends it.
   */
  listen(onEvent: (news: ChangeEvent) => void, onGap: () => void): () => void
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
  photos: Photos
  ledger: Ledger
  settings: Settings
  stats(): Promise<Stats>
  /** The so many days that end with the one of `at`. */
  trends(days: number, at: string): Promise<Trends>
  /** Announced if, and only when, the transaction commits. */
  publish(news: ChangeEvent): Promise<void>
}

/** A page of a list. `after` is where the last one ended (opaque); `sort` names a field, `-` before it turns it round. */
export type Page = { limit: number; after?: string; sort?: string; search?: string }
export type Paged<T> = { rows: T[]; next?: string; total: number }

export type Account = User & { passwordHash: string; createdAt: string }

export type Users = {
  get(id: string): Promise<User | undefined>
  /** As `get`, and the row stays as it is until this transaction ends. */
  lockShared(id: string): Promise<User | undefined>
  /** As `hold`, by one who means to change it. */
  lock(id: string): Promise<User | undefined>
  byEmail(email: string): Promise<Account | undefined>
  /** The one account that proved it owns this number. */
  byVerifiedPhone(phone: string): Promise<User | undefined>
  /** The newest account that gave this number, as its own or as a pending one, and has not proved it. */
  byUnverifiedPhone(phone: string): Promise<User | undefined>
  /** When a confirmed number last took the place of another; nothing when none did. */
  phoneChangedAt(id: string): Promise<string | undefined>
  findAdmin(): Promise<User | undefined>
  add(account: Account): Promise<void>
  change(id: string, change: UserChange): Promise<void>
  list(page: Page): Promise<Paged<User>>
}
/** What is left out stays as it is; a `pendingPhone` of null is removed. */
type UserChange = Partial<
  Pick<Account, 'phone_number' | 'Verified' | 'driverStatus' | 'passwordHash'>
> & { pendingPhone?: string | null; phoneChangedAt?: string }

/** Only hashes of tokens are kept. Times are ISO 8601, here and everywhere in the stores. */
export type StoredSession = {
  hash: string
  userId: string
  /** Names the session to its owner. */
  id: string
  createdAt: string
  usedAt: string
  /** Browser and system in a few words, or empty. */
  device: string
}
export type Sessions = {
  add(session: StoredSession): Promise<void>
  find(hash: string): Promise<{ user: User; createdAt: string; usedAt: string } | undefined>
  touch(hash: string, usedAt: string): Promise<void>
  end(hash: string): Promise<void>
  /** Newest first. */
  listOf(userId: string): Promise<StoredSession[]>
  /** Ends the session of this id if it is this person's; false when there is none. */
  endOf(userId: string, id: string): Promise<boolean>
  endAllOf(userId: string): Promise<void>
  /** Forgets sessions unused since the one time, or made before the other. */
  sweep(usedBefore: string, createdBefore: string): Promise<void>
}

export type Purpose = 'verify' | 'reset'
export type Code = {
  userId: string
  purpose: Purpose
  phone: string
  hash: string
  wrong: number
  expiresAt: string
}
export type Codes = {
  /** Takes the place of the person's earlier code of that purpose. */
  put(code: Code): Promise<void>
  /** Every code that was sent to this number for this purpose, held until the transaction ends. */
  lock(phone: string, purpose: Purpose): Promise<Code[]>
  countWrong(code: Code): Promise<void>
  end(userId: string, purpose: Purpose): Promise<void>
  sweep(expiredBefore: string): Promise<void>
}

/** Tries that are limited, counted where every process sees them. */
export type Attempts = {
  /** Until the transaction ends nobody else counts this key. */
  lock(key: string): Promise<void>
  /** Times of the tries after `since`, oldest first. */
  since(key: string, since: string): Promise<string[]>
  /** How many tries there are after `since`. */
  count(key: string, since: string): Promise<number>
  add(attempt: { id: string; key: string; at: string }): Promise<void>
  removeById(id: string): Promise<void>
  forget(key: string): Promise<void>
  sweep(before: string): Promise<void>
}

export type StoredAnswer = { fingerprint: string; status: number; sealed: Uint8Array }
export type Requests = {
  find(id: string): Promise<StoredAnswer | undefined>
  /** False when it was claimed before; waits for a claim that is still open. */
  claim(id: string, fingerprint: string, at: string): Promise<boolean>
  answer(id: string, status: number, sealed: Uint8Array): Promise<void>
  /** Forgets one, answered or claimed. */
  remove(id: string): Promise<void>
  /** Those with an answer, in order of ID, after this one. */
  page(after: string, limit: number): Promise<(StoredAnswer & { id: string })[]>
  sweep(before: string): Promise<void>
}

/** A delivery as kept: whole. `version` counts its changes. */
export type StoredDelivery = Delivery & { version: number }
/** Which deliveries a list is of: what never changes about them, and what may. */
export type DeliveryList = {
  of:
    | { sender: string }
    | { driver: string }
    | { party: string }
    | { forDriver: string; pickupZone?: string; dropoffZone?: string }
    | 'everyone'
  statuses?: Status[]
}
export type DeliveryPage = {
  rows: StoredDelivery[]
  /**
   * Only when `since` was given and understood: what has left the list. Of jobs on offer only those
   * that were on offer after the cursor was given; of a driver's jobs also those taken from them.
   */
  removed?: string[]
  cursor: string
  next?: string
}
export type Deliveries = {
  get(id: string): Promise<StoredDelivery | undefined>
  /** As `get`, and nobody else changes it until this transaction ends. */
  lock(id: string): Promise<StoredDelivery | undefined>
  add(delivery: Delivery): Promise<StoredDelivery>
  /** `updatedAt` always moves on: of two changes, the one that was kept later says so. */
  save(delivery: Delivery): Promise<StoredDelivery>
  /** Those a person has a part in that are neither Approved nor Cancelled, locked, in order of ID. */
  lockUnfinishedOf(userId: string): Promise<StoredDelivery[]>
  list(list: DeliveryList, page: Page, since?: string): Promise<DeliveryPage>
  count(list: DeliveryList, search?: string): Promise<number>
}

export type GuestTokens = {
  add(hash: string, deliveryId: string): Promise<void>
  /** Its delivery, unless that was Approved or Cancelled before `endedBefore`. */
  find(hash: string, endedBefore: string): Promise<string | undefined>
  /** Forgets the tokens of deliveries that were Approved or Cancelled before this time. */
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
   * Empties the ID photo of every application decided before that time, unless an open dispute is
   * about a delivery of its driver. ResponseOf the photos that no application names any more.
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
  /** The dispute as it is then; nothing when it is not open. */
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

/** Append-only: what admins did. */
export type Audit = {
  add(entry: AuditEntry): Promise<void>
  /** Newest first unless sorted otherwise; `search` looks through every field. */
  list(page: Page): Promise<Paged<AuditEntry>>
}

/** A photo that the built-in provider keeps, by the name of its file. */
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
  /** As `get`, and the row stays as it is until this transaction ends. */
  lock(name: string): Promise<StoredPhoto | undefined>
  /** Those of these names that there are. */
  getMany(names: string[]): Promise<StoredPhoto[]>
  /**
   * One of that name which nothing uses yet begins anew. False when there is a private photo of that
   * name, which then stays as it is.
   */
  add(photo: StoredPhoto): Promise<boolean>
  /** Something names it from now on. Nothing happens when there is none. */
  use(name: string): Promise<void>
  /** Private and in use from now on; added when there is none. */
  makePrivate(name: string, at: string): Promise<void>
  remove(name: string): Promise<void>
  /** What one uploader has stored since that time, in bytes, and the time of the first of it. */
  storedBy(uploader: string, since: string): Promise<{ bytes: number; first?: string }>
  /** Removes those that nothing uses and that are older, and gives their names. */
  removeUnused(before: string): Promise<string[]>
}

export type Ledger = {
  post(transfer: Transfer): Promise<void>
  of(deliveryId: string): Promise<Transfer[]>
  /** In pesewas. */
  balance(account: string): Promise<number>
}

export type Settings = {
  get(name: string): Promise<string | undefined>
  /** Keeps the first value a name is given, and says which that is. */
  keep(name: string, value: string): Promise<string>
  remove(name: string): Promise<void>
}
