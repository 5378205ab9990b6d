import Dexie, { type Table, type Transaction } from 'dexie'
import type { Activity, AuditEntry } from '#contract/responses.ts'
import type { Choice } from '#domain/choices.ts'
import type { Dispute } from '#domain/deliveries/dispute.ts'
import { defaultEndingTerms } from '#domain/deliveries/endings/incidents.ts'
import type { DriverStatus } from '#domain/users/user.ts'
import { defaultPlaces } from '#domain/zones/default-places.ts'
import type { Zone } from '#domain/zones/zone.ts'
import type {
  Account,
  Code,
  StoredInvitation,
  StoredSession,
} from '#server/ports/stores/account-stores.ts'
import type { StoredDelivery } from '#server/ports/stores/delivery-stores.ts'
import type { PaymentRow } from '#server/ports/stores/payment-store.ts'
import type { StoredPhoto } from '#server/ports/stores/photo-store.ts'
import type {
  Applications,
  NewDispute,
  StoredDevice,
  Transfer,
  UserNote,
} from '#server/ports/stores/record-stores.ts'
import type { Counted, StoredResponse } from '#server/ports/stores/request-store.ts'

/** A delivery with what only indexes need. The names are stored, so they stay as they are. */
export type DeliveryRow = {
  delivery: StoredDelivery
  /** A number that grows with every write of any delivery; cursors compare with it. */
  changed: number
  marks: IndexKey[]
  /** The `changed` with which the delivery last stopped being Pending. */
  leftPending?: number
  /** The driver whose job was last taken away. */
  releasedFrom?: string
}
/** `active-delivery` and `active-job` are unique: a sender and a driver have at most one each. */
export type IndexKey =
  `${'status' | 'sender' | 'driver' | 'active-delivery' | 'active-job' | 'held'}:${string}`
export type UserRow = Account & {
  emailKey: string
  phoneChangedAt?: string
  ratedStars?: number
  ratedTimes?: number
}
export type ApplicationRow = Parameters<Applications['add']>[0] & {
  status: DriverStatus
  decidedAt?: string
  reason?: string
}
/** Sessions that an earlier version stored have only these three properties. */
type SessionRow = Pick<StoredSession, 'hash' | 'userId' | 'usedAt'> & Partial<StoredSession>
export type RequestRow = {
  id: string
  fingerprint: string
  at: string
  person?: string
} & Partial<StoredResponse>
type Listed<T> = T & { nameKey: string; at: string; place?: number }
export type ChoiceRow = Listed<Choice>
export type ZoneRow = Listed<Zone>
export type DisputeRow = Dispute & { resolvedBy?: string } & Pick<
    NewDispute,
    'reportedBy' | 'reporterName'
  >
/** One opening of the database; demos of earlier versions hold several. */
type IncarnationRow = {
  place?: number
  id: string
}
/**
 * `way`: the kind, of a raise with its ID, or in rows of earlier versions `in`, `out` or `returned`. With the delivery's
 * ID a unique key, so each kind but a raise is posted once.
 */
type TransferRow = Transfer & { way: string; accounts: string[] }

/** The database of a server that runs in a page. */
export class ServerDb extends Dexie {
  declare settings: Table<{ name: string; value: string }, string>
  declare users: Table<UserRow, string>
  declare applications: Table<ApplicationRow, string>
  declare sessions: Table<SessionRow, string>
  declare codes: Table<Code, [string, string]>
  declare confirmedPhones: Table<{ key: string; at: string }, string>
  declare attempts: Table<{ id: string; key: string; at: string }, string>
  declare counters: Table<{ key: string } & Counted, string>
  declare requests: Table<RequestRow, string>
  declare deliveries: Table<DeliveryRow, string>
  declare guestTokens: Table<{ hash: string; deliveryId: string }, string>
  declare zones: Table<ZoneRow, number>
  declare items: Table<ChoiceRow, number>
  declare disputes: Table<DisputeRow, string>
  declare activities: Table<Activity, [string, string]>
  declare transfers: Table<TransferRow, [string, string]>
  declare audit: Table<AuditEntry, string>
  declare incarnations: Table<IncarnationRow, number>
  declare photos: Table<StoredPhoto, string>
  declare payments: Table<PaymentRow, string>
  declare invitations: Table<StoredInvitation & { emailKey: string }, string>
  declare devices: Table<StoredDevice & { userIds?: string[] }, string>
  declare userNotes: Table<UserNote, string>

  constructor(name: string) {
    super(name)
    // No live query reads these tables, and tracking changes for them costs a third of the time.
    for (const middleware of ['Observability', 'Cache'])
      this.unuse({ stack: 'dbcore', name: middleware })
    this.version(1).stores({
      settings: 'name',
      users: 'ID, &emailKey, phone_number',
      applications: 'userId',
      sessions: 'hash, userId',
      codes: '[userId+purpose], [phone+purpose]',
      attempts: 'id, [key+at]',
      requests: 'id',
      deliveries: 'delivery.ID, &changed, *marks',
      guestTokens: 'hash',
      zones: '++place, &ID, &nameKey',
      items: '++place, &ID, &nameKey',
      disputes: 'ID',
      activities: '[CreatedAt+ID]',
      transfers: '[deliveryId+way], *accounts',
    })
    this.version(2).stores({ audit: 'ID, At' })
    this.version(3).stores({ photos: 'name' })
    this.version(4).stores({ incarnations: '++place, &id', devices: 'code' })
    this.version(5).stores({}).upgrade(addExits)
    this.version(6).stores({ counters: 'key' })
    this.version(7).stores({ confirmedPhones: 'key' })
    this.version(8).stores({}).upgrade(placeZones)
    this.version(9).stores({ payments: 'id, deliveryId, dueAt' })
    this.version(10).stores({ userNotes: 'ID, userId' })
    this.version(11).stores({ invitations: 'ID, emailKey, hash' })
  }
}

/** What earlier versions delivered is approved automatically from now on (R106), and what is disputed is not (R108). */
async function addExits(tx: Transaction) {
  const due = new Date(Date.now() + defaultEndingTerms.autoApprove).toISOString()
  const open = new Set<string>()
  await tx.table<DisputeRow>('disputes').each(({ status, DeliveryID }) => {
    if (status === 'open') open.add(DeliveryID)
  })
  await tx
    .table<DeliveryRow>('deliveries')
    .toCollection()
    .modify(({ delivery }) => {
      if (delivery.status === 'Delivered') delivery.dueAt = due
      if (open.has(delivery.ID)) delivery.disputed = true
    })
}

/** Zones of earlier versions get their centres and roads (R165). */
async function placeZones(tx: Transaction) {
  const zones = tx.table<ZoneRow>('zones')
  const names = new Set((await zones.toArray()).map(({ Name }) => Name))
  const places = new Map(defaultPlaces().map((place) => [place.Name, place]))
  await zones.toCollection().modify((row) => {
    const { lat, lng, roads } = places.get(row.Name) ?? {}
    Object.assign(row, { lat, lng, roads: roads?.filter(({ to }) => names.has(to)) })
  })
}

/** Awaits `adding`. False when a row with the same unique key exists; the transaction goes on. */
export async function wasAdded(adding: PromiseLike<unknown>): Promise<boolean> {
  try {
    await adding
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'ConstraintError') return false
    throw error
  }
}

/** The greatest `changed`. Only one transaction writes at a time, so a later commit has a greater one. */
export async function lastChange({ deliveries }: ServerDb): Promise<number> {
  const [last] = await deliveries.orderBy('changed').reverse().limit(1).keys()
  return Number(last ?? 0)
}
