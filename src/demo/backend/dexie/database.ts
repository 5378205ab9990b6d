import Dexie, { type Table } from 'dexie'
import type { Activity, AuditEntry } from '#contract/answers.ts'
import type { Choice } from '#domain/choices.ts'
import type { Dispute } from '#domain/dispute.ts'
import type { DriverStatus } from '#domain/user.ts'
import type {
  Account,
  Applications,
  Code,
  StoredAnswer,
  StoredDelivery,
  StoredPhoto,
  StoredSession,
} from '#server/ports/repo.ts'
import type { Transfer } from '#server/rules/ledger.ts'

/**
 * A delivery, and beside it what only indexes need. `changed` counts every write of any delivery:
 * what a cursor compares with. `marks` say what it is found by.
 */
export type DeliveryRow = {
  delivery: StoredDelivery
  changed: number
  marks: IndexKey[]
  /** The change by which it last stopped being Pending. */
  leftPending?: number
  /** The driver it was last taken from. */
  releasedFrom?: string
}
/** Its status; whose it is; whose one active delivery or job it is. */
export type IndexKey =
  `${'status' | 'sender' | 'driver' | 'active-delivery' | 'active-job'}:${string}`
export type UserRow = Account & { emailKey: string; phoneChangedAt?: string }
export type ApplicationRow = Parameters<Applications['add']>[0] & {
  status: DriverStatus
  decidedAt?: string
}
/** Sessions of earlier versions have a hash, a user and the time of their last use alone. */
export type SessionRow = Pick<StoredSession, 'hash' | 'userId' | 'usedAt'> & Partial<StoredSession>
export type RequestRow = { id: string; fingerprint: string; at: string } & Partial<StoredAnswer>
export type ChoiceRow = Choice & { nameKey: string; at: string; place?: number }
export type DisputeRow = Dispute & { resolvedBy?: string }
/** `way`: money comes into escrow once, and leaves it once. */
export type TransferRow = Transfer & { way: 'in' | 'out'; accounts: string[] }

/** What IndexedDB keeps of a server that runs in a page. */
export class ServerDb extends Dexie {
  declare settings: Table<{ name: string; value: string }, string>
  declare users: Table<UserRow, string>
  declare applications: Table<ApplicationRow, string>
  declare sessions: Table<SessionRow, string>
  declare codes: Table<Code, [string, string]>
  declare attempts: Table<{ id: string; key: string; at: string }, string>
  declare requests: Table<RequestRow, string>
  declare deliveries: Table<DeliveryRow, string>
  declare guestTokens: Table<{ hash: string; deliveryId: string }, string>
  declare zones: Table<ChoiceRow, number>
  declare items: Table<ChoiceRow, number>
  declare disputes: Table<DisputeRow, string>
  declare activities: Table<Activity, [string, string]>
  declare transfers: Table<TransferRow, [string, string]>
  declare audit: Table<AuditEntry, string>
  declare photos: Table<StoredPhoto, string>

  constructor(name: string) {
    super(name)
    // Nobody watches these tables by live queries, and noting all that changed for them costs a third.
    for (const each of ['Observability', 'Cache']) this.unuse({ stack: 'dbcore', name: each })
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
    // Names this database, so that a cursor taken from one that was deleted is seen for what it is.
    this.on('populate', (tx) => tx.table('settings').add({ name: 'epoch', value: newEpoch() }))
  }
}

const newEpoch = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** False when what had to be unique is there already: IndexedDB itself says so, and the transaction goes on. */
export async function wasAdded(adding: PromiseLike<unknown>): Promise<boolean> {
  try {
    await adding
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'ConstraintError') return false
    throw error
  }
}
