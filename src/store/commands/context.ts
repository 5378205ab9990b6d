import type { Action, OperationName } from '#operations/index.ts'
import type { Batch, Write } from '#sync/database/group-commit.ts'
import type { Waits } from '#sync/outbox/waits.ts'
import type { MakeEntry, NewEntry } from '../entries/new-entry.ts'
import type { DeliveryRow } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

/** What commands work with. */
export type CommandContext = {
  db: SomaDb
  /** Milliseconds since 1970. */
  now: () => number
  waits: Waits
  /** UUIDv7. */
  newId: () => string
  write: Write
  newEntry: MakeEntry
}

/** What an action carries, beside its delivery. */
export type ActionInput = {
  /** What its entry says. */
  input?: object
  /** What its entry says beside it, from the row as it is shown now. */
  details?: (row: DeliveryRow) => object
  /** A photo on this phone, which its upload brings to the server first. */
  photo?: string
  /** Pending operations of the row that it depends on. */
  dependsOn?: readonly OperationName[]
  /** It leaves after the reports that this person made before it. */
  followsReports?: boolean
  /** Milliseconds in which it can still be undone: it leaves after them (S60). */
  holdFor?: number
  /** Entries that must be done first; called inside the command's transaction. */
  uploads?: (row: DeliveryRow) => Promise<NewEntry[]>
}

/**
 * Queues one action on a delivery; resolves to its entry's ID. Throws the rule's `Refusal`. `batch`: of the command whose
 * transaction it belongs to, if any; everything that command has written so far is written to the tables.
 */
export type Act = (
  action: Action,
  id: string,
  input?: ActionInput,
  batch?: Batch,
) => Promise<string>
