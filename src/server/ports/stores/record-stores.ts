import type { Activity, AuditEntry, DriverCounts } from '#contract/responses.ts'
import type { Choice } from '#domain/choices.ts'
import type { Dispute, DisputeStatus, StoredDispute } from '#domain/deliveries/dispute.ts'
import type { TransferKind } from '#domain/deliveries/payment.ts'
import type { DriverApplication, IdType } from '#domain/users/driver.ts'
import type { DriverStatus } from '#domain/users/user.ts'
import type { Zone, ZoneChange } from '#domain/zones/zone.ts'
import type { Page, Paged } from './paging.ts'

export type Choices = {
  list(): Promise<Choice[]>
  has(name: string): Promise<boolean>
  add(choice: Choice, at: string): Promise<void>
  /** Refusal: name-taken. */
  rename(id: string, name: string): Promise<void>
  /** The IDs of the whole list in their new order (R207). */
  arrange(ids: readonly string[]): Promise<void>
  /** False when there was none. */
  remove(id: string): Promise<boolean>
}
/** Zones have a centre and roads, too (R165). */
export type Zones = Omit<Choices, 'list'> & {
  list(): Promise<Zone[]>
  /** What the zone of this name is called now, by a former name too (R206). */
  nameOf(name: string): Promise<string | undefined>
  /** `change` has been checked. A road to a zone that is removed meanwhile is left out. False if there is no such zone. */
  change(id: string, change: ZoneChange): Promise<boolean>
}

export type Applications = {
  /** A pending one, in the place of an earlier one of this person. */
  add(application: {
    userId: string
    idType: IdType
    idNumber: string
    idPhoto: string
    createdAt: string
  }): Promise<void>
  get(userId: string): Promise<DriverApplication | undefined>
  /** `at`: when it was decided; `reason`: of a rejection (R200). */
  change(userId: string, status: DriverStatus, at: string, reason?: string): Promise<void>
  /** Who else applied with this ID number, however it is spelled; until the transaction ends nobody applies with it (R201). */
  lockIdNumber(idNumber: string): Promise<string[]>
  /** Applications whose ID photo is not marked private; `isShared` when a delivery names the photo too. */
  withPublicPhoto(): Promise<{ userId: string; idPhoto: string; isShared: boolean }[]>
  changePhoto(userId: string, idPhoto: string): Promise<void>
  /** IDs of the drivers whose ID photo has this file name. */
  ownersOfPhoto(name: string): Promise<string[]>
  /**
   * Empties the ID photo of every application decided before that time, unless a dispute about a delivery
   * of its driver is open. Returns the photos that no application names any more.
   */
  dropPhotos(decidedBefore: string): Promise<string[]>
  list(page: Page, status?: DriverStatus): Promise<Paged<DriverApplication>>
  counts(): Promise<DriverCounts>
}

/** What the office writes down about a person, who never reads it (R202). `by`: the admin's name. */
export type UserNote = { ID: string; userId: string; text: string; by: string; at: string }
export type UserNotes = {
  add(note: UserNote): Promise<void>
  /** Newest first. */
  list(userId: string): Promise<UserNote[]>
}

/** As it is reported: open. Without a `reporterName` the server has reported it for that side. */
export type NewDispute = Required<
  Pick<Dispute, 'ID' | 'DeliveryID' | 'issue' | 'type' | 'priority' | 'CreatedAt'>
> & { reportedBy?: string; reporterName?: string }
export type Disputes = {
  add(dispute: NewDispute): Promise<void>
  get(id: string): Promise<StoredDispute | undefined>
  /** Everything reported about one delivery, the first report first. */
  ofDelivery(deliveryId: string): Promise<StoredDispute[]>
  /** Everything reported about these deliveries, the newest first. */
  ofDeliveries(deliveryIds: string[]): Promise<StoredDispute[]>
  /** Returns the resolved dispute; `undefined` when it was not open. */
  resolve(
    id: string,
    how: { resolution: string; at: string; by: string },
  ): Promise<StoredDispute | undefined>
  /** `search`: in the issue, the IDs, and the deliveries that they are about. */
  list(page: Page, status?: DisputeStatus): Promise<Paged<StoredDispute>>
  /**
   * The newest disputes about deliveries that the text finds, and those that it is the reference of. Of a word that many
   * deliveries have, only the newest disputes are looked at.
   */
  find(search: string, limit: number): Promise<StoredDispute[]>
}

export type Activities = {
  add(activity: Activity): Promise<void>
  /** Newest first. */
  list(limit: number): Promise<Activity[]>
  /** Deletes those from before this time. */
  sweep(before: string): Promise<void>
}

/** Admins' actions (R57). Append-only. */
export type Audit = {
  /** `Actor`: the ID of an account, or `console` (R217). */
  add(entry: AuditEntry): Promise<void>
  /**
   * Newest first unless sorted otherwise; `search` looks through every field. `Actor`: the e-mail of that account now, or the
   * name of one that was deleted.
   */
  list(page: Page): Promise<Paged<AuditEntry>>
  /** Whether there is an entry of this action about this subject. */
  has(action: string, subject: string): Promise<boolean>
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

export type Ledger = {
  post(transfer: Transfer): Promise<void>
  of(deliveryId: string): Promise<Transfer[]>
  /** In pesewas. */
  balance(account: string): Promise<number>
  totals(): Promise<MoneyTotals>
  /** What moved on each of these days, which follow one another; a day on which nothing did may be missing. */
  totalsByDay(days: string[]): Promise<(MoneyTotals & { day: string })[]>
}

/** Sums of kinds of accounts, in pesewas: what payers gave, and where it is now (R184). */
export type MoneyTotals = Record<
  'cameIn' | 'held' | 'owed' | 'paidOut' | 'refunded' | 'fees',
  number
>

/** Counts and sums that statistics are made of. */
export type Rollups = {
  /** Adds up what changes have added since the last time. */
  fold(): Promise<void>
  /** Counts everything anew. Needs a transaction of its own, with nothing before it. */
  rebuild(): Promise<void>
  /** How many of them differ from what is stored. */
  countWrong(): Promise<number>
}

/** A movement of money, in whole pesewas. Its entries sum to zero (R40). */
export type Transfer = {
  id: string
  deliveryId: string
  kind: TransferKind
  at: string
  entries: { account: string; pesewas: number }[]
}
