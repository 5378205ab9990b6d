import type { Status } from '#domain/deliveries/delivery.ts'
import type { Action } from '#domain/deliveries/permissions.ts'
import type { Write } from '../database/group-commit.ts'
import type { MakeEntry, NewEntry } from '../deliveries/new-entry.ts'
import type { DeliveryRow } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

/** What commands work with. */
export type CommandContext = {
  db: SomaDb
  /** Milliseconds since 1970. */
  now: () => number
  /** Milliseconds by the clock that is never set. */
  monotonic: () => number
  /** UUIDv7. */
  newId: () => string
  write: Write
  newEntry: MakeEntry
}

/** What an action carries: the delivery code, or a photo and the entries that upload it. */
type ActionInput = {
  code?: string
  photo?: string
  /** What the request says beside it, from the row as it is shown now. */
  details?: (row: DeliveryRow) => { status?: Status }
  /** Pending operations of the row that it depends on. */
  dependsOn?: Action
  /** Milliseconds in which it can still be undone: it leaves after them (S60). */
  holdFor?: number
  /** Entries that must be done first; called inside the command's transaction. */
  uploads?: (row: DeliveryRow) => Promise<NewEntry[]>
}

/** Queues one action on a delivery; resolves to its entry's ID. Throws the rule's `Refusal`. */
export type Act = (action: Action, id: string, input?: ActionInput) => Promise<string>
