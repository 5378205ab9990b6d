import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { Refusal } from '#domain/errors.ts'
import type { Log } from '../../ports/ports.ts'
import { type Db, dbOver } from '../db.ts'
import { closeConnection } from './close-connection.ts'
import { newestIncarnation } from './incarnations.ts'
import { toRefusal } from './pg-errors.ts'
import { openReplicaPool } from './pool.ts'

/*
 * A read goes to a replica only when that has replayed everything that was committed when the read began.
 * So it sees what its caller has changed, through whichever process, and whatever a cursor has seen.
 *
 *   primary: where does your log end? ──▶ replica: have you replayed as much? ─┬─yes─▶ read there
 *                                                    └─not yet: ask again──────┴─no──▶ read at the primary
 */

/** Milliseconds between two checks of a replica that is behind. */
const waits = [2, 5, 10, 20, 40]

/** Milliseconds without replica reads after a replica was behind or down. */
const avoidance = { behind: 1_000, down: 5_000 }

/** Where the log of the primary ends, and in which of its lives (R93). */
type Position = { lsn: string | null; incarnation: string | null }

/** Without `synchronous_commit` the insert position: such a commit is visible before it is flushed. */
const positionOfPrimary = `
  select case
    when pg_is_in_recovery() then null
    when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn() end::text as lsn,
  (${newestIncarnation}) as incarnation`

/** A standby of a former primary has no record of the new incarnation. */
const hasReplayed = `
  select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn
    and (${newestIncarnation}) = $2 as current`

/** Reads at the replicas of this address, as long as they are as new as the primary behind `primary`. */
export function replicaReader(
  url: string,
  primary: Pick<pg.ClientBase, 'query'> | pg.Pool,
  log?: Pick<Log, 'warn'>,
) {
  const pool = openReplicaPool(url)
  let avoidedUntil = 0
  let isReported = false

  /** The work's result; `undefined` when it must be read at the primary. Refusals: the work's own. */
  async function read<T>(work: (db: Db) => Promise<T>): Promise<{ value: T } | undefined> {
    if (performance.now() < avoidedUntil) return undefined
    const position = await positionNow()
    if (!position?.lsn || !position.incarnation) return undefined
    try {
      const answer = await readSince(position, work)
      if (!answer) avoidedUntil = performance.now() + avoidance.behind
      isReported = false
      return answer
    } catch (error) {
      const refusal = toRefusal(error)
      if (refusal instanceof Refusal && refusal.reason !== 'unavailable') throw refusal
      avoidedUntil = performance.now() + avoidance.down
      if (!isReported)
        log?.warn({ err: error }, 'The replica does not answer; its reads go to the primary')
      isReported = true
      return undefined
    }
  }

  /** `undefined` when the primary is unreachable: the read then fails there with the reason. */
  async function positionNow() {
    const asked = await primary.query<Position>(positionOfPrimary).catch(() => undefined)
    return asked?.rows[0]
  }

  /** One transaction, so that a pooler or balancer sends both statements to one replica. */
  async function readSince<T>(position: Position, work: (db: Db) => Promise<T>) {
    const client = await pool.connect()
    let isBroken = true
    try {
      await client.query('begin read only')
      const isCurrent = await catchesUp(client, position)
      const answer = isCurrent ? { value: await work(dbOver(client)) } : undefined
      await client.query('commit')
      isBroken = false
      return answer
    } finally {
      client.release(isBroken)
    }
  }

  return { read, close: () => closeConnection(pool) }
}

async function catchesUp(client: pg.ClientBase, { lsn, incarnation }: Position): Promise<boolean> {
  for (const wait of [...waits, undefined]) {
    const { rows } = await client.query<{ current: boolean }>(hasReplayed, [lsn, incarnation])
    if (rows[0]?.current) return true
    if (wait !== undefined) await pause(wait)
  }
  return false
}
