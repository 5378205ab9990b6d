import type { PromiseExtended } from 'dexie'
import type { EngineDb } from '../database/engine-db.ts'
import { isUnsent, type OutboxEntry } from '../database/entry.ts'
import { puts, writeAllButLast } from '../database/write-in-parts.ts'
import type { Projection } from '../model.ts'

/** What one transaction writes at its end: entries as they are now, and rows from the server. */
export class WriteBatch {
  private readonly entries = new Map<number, OutboxEntry>()
  private readonly shown = new Map<number, OutboxEntry>()
  private readonly rows = new Map<string, unknown[]>()
  /** Entries whose lane the server has renamed, with its new name. */
  readonly moved: { account: string; from: string; to: string }[] = []

  /** An entry as it is to be written. `isShown`: false when its row looks the same as before. */
  put(entry: OutboxEntry, isShown = true): void {
    this.entries.set(entry.seq, entry)
    if (isShown) this.shown.set(entry.seq, entry)
  }

  /** Rows as the server has them. */
  addRows(account: string, rows: readonly unknown[]): void {
    this.rows.set(account, [...(this.rows.get(account) ?? []), ...rows])
  }

  moveLane({ account, lane }: OutboxEntry, to: string): void {
    this.moved.push({ account, from: lane, to })
  }

  /** Whether this batch ends the entry: a refusal of another one may have taken it along. */
  hasEnded({ seq }: OutboxEntry): boolean {
    const entry = this.entries.get(seq)
    return entry !== undefined && !isUnsent(entry)
  }

  /** Every entry as it is now. */
  get changed(): OutboxEntry[] {
    return [...this.entries.values()]
  }

  /**
   * Reads what is needed to write entries and rows, and writes all but the last part of them; returns how to write that
   * one. `serverAt`: monotonic time.
   */
  async prepare(
    db: EngineDb,
    projection: Projection,
    serverAt: number,
  ): Promise<() => PromiseExtended<unknown>> {
    const entries = this.changed
    const shown = [...this.shown.values()].filter((entry) => projection.isShown(entry))
    const writes = puts(db.outbox, entries)
    for (const account of new Set(entries.map((entry) => entry.account))) {
      const lanes = shown.flatMap((entry) => (entry.account === account ? [entry.lane] : []))
      const serverRows = this.rows.get(account)
      const changes = { lanes, serverRows, serverAt, entries }
      writes.push(...(await projection.project(db, account, changes)))
    }
    return writeAllButLast(writes)
  }
}
