import type { Write } from '../database/group-commit.ts'
import type { MakeEntry } from '../deliveries/new-entry.ts'
import type { SomaDb } from '../soma-db.ts'

/** What commands work with. */
export type CommandContext = {
  db: SomaDb
  /** Milliseconds since 1970. */
  now: () => number
  /** UUIDv7. */
  newId: () => string
  write: Write
  newEntry: MakeEntry
}
