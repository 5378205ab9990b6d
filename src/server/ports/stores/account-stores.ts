import type { Commute } from '#domain/users/commute.ts'
import type { Licence } from '#domain/users/licence.ts'
import type { PayoutNumber } from '#domain/users/payout-number.ts'
import type { SignKind } from '#domain/users/standing/person-facts.ts'
import type { Suspension } from '#domain/users/standing/suspension.ts'
import type { OfficeRole, User } from '#domain/users/user.ts'
import type { Page, Paged } from './paging.ts'

/**
 * The second factor of a login (R213). `sealed`: its secret, in hex. `isOn`: it was confirmed by a code. `lastStep`: of the
 * newest code that was used. `recovery`: hashes of the recovery codes that are left.
 */
export type SecondFactor = {
  sealed: string
  isOn: boolean
  lastStep?: number
  recovery: string[]
}

export type Account = User & {
  passwordHash: string
  createdAt: string
  factor?: SecondFactor
}

export type Users = {
  get(id: string): Promise<User | undefined>
  /** As `get`, and nobody changes the row until this transaction ends. */
  lockShared(id: string): Promise<User | undefined>
  /** As `get`, for a caller that changes the row: others wait until this transaction ends. */
  lock(id: string): Promise<User | undefined>
  byEmail(email: string): Promise<Account | undefined>
  /** The account that verified this number. */
  byVerifiedPhone(phone: string): Promise<Account | undefined>
  /** The newest account with this number, its own or pending, that has not verified it. */
  byUnverifiedPhone(phone: string): Promise<User | undefined>
  /** When a confirmed number last replaced another (R10); `undefined` when none did. */
  phoneChangedAt(id: string): Promise<string | undefined>
  /** When a driver joined, and how many of their deliveries were approved (R114). */
  driverRecord(id: string): Promise<{ since: string; deliveries: number }>
  /** Counts one rating of this person; returns them as they are rated now (R113). */
  rate(id: string, stars: number): Promise<User | undefined>
  findAdmin(): Promise<User | undefined>
  /** Admins and support, oldest first. */
  office(): Promise<User[]>
  add(account: Account): Promise<void>
  change(id: string, change: UserChange): Promise<void>
  list(page: Page): Promise<Paged<User>>
  /** Their commutes and routes follow a zone to its new name (R206). Returns the IDs of those who had the name before. */
  renameZone(before: string, after: string): Promise<string[]>
  /** When they signed up. */
  joinedAt(id: string): Promise<string>
  /** Accounts with the same ID number, phone, photo or device (R203), each once for each kind; at most 20. */
  twins(id: string): Promise<{ kind: SignKind; ID: string; name: string }[]>
  /** People whose suspension ends by this time (R198). */
  suspendedUntil(at: string, limit: number): Promise<string[]>
  /** Approved drivers who have commutes, at most so many, each with their commutes. */
  commutes(limit: number): Promise<{ ID: string; commutes: Commute[] }[]>
}
/** Missing fields stay unchanged; one of null is removed. */
type UserChange = Partial<
  Pick<
    Account,
    | 'name'
    | 'email'
    | 'phone_number'
    | 'role'
    | 'Verified'
    | 'driverStatus'
    | 'passwordHash'
    | 'notifications'
    | 'commutes'
  >
> & {
  pendingPhone?: string | null
  phoneChangedAt?: string
  photo?: string | null
  licence?: Licence | null
  licencePending?: Licence | null
  payout?: PayoutNumber | null
  nextPayout?: PayoutNumber | null
  pendingPayout?: PayoutNumber | null
  suspended?: Suspension | null
  factor?: SecondFactor | null
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
  /** `except`: the hash of one that stays. */
  endAllOf(userId: string, except?: string): Promise<void>
  /** Deletes sessions unused since `usedBefore`, or created before `createdBefore`. */
  sweep(usedBefore: string, createdBefore: string): Promise<void>
}

/** Somebody who is invited to the office (R209). `ID`: of their account once they accept. `hash`: of the link's secret. */
export type StoredInvitation = {
  ID: string
  email: string
  role: OfficeRole
  hash: string
  invitedBy: string
  createdAt: string
  expiresAt: string
}
export type Invitations = {
  /** Replaces an earlier one to the same e-mail. */
  put(invitation: StoredInvitation): Promise<void>
  find(hash: string): Promise<StoredInvitation | undefined>
  /** Oldest first. */
  list(): Promise<StoredInvitation[]>
  /** False when there is none. */
  remove(id: string): Promise<boolean>
  removeAllBy(userId: string): Promise<void>
  sweep(expiredBefore: string): Promise<void>
}

/** `recover`: a guest proves the phone of their deliveries (R109). `payout`: a driver confirms their payout number (R175). */
export type Purpose = 'verify' | 'reset' | 'recover' | 'payout'
export type Code = {
  /** Of the account; of a guest the newest of their deliveries. */
  userId: string
  purpose: Purpose
  phone: string
  hash: string
  wrong: number
  expiresAt: string
}
/** Numbers that a guest has confirmed by a code (R109). `key`: a keyed hash of the number. */
export type ConfirmedPhones = {
  has(key: string): Promise<boolean>
  /** Nothing happens when it is there already. */
  add(key: string, at: string): Promise<void>
  remove(key: string): Promise<void>
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
