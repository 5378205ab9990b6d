import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { Refusal } from '#domain/errors.ts'
import { type Db, existing } from '../db.ts'

/*
 * A database that was restored from a backup gives its transaction numbers a second time. An incarnation
 * is one life of the database: from one start of PostgreSQL to the next, under one OID of the database.
 * The first connection of any server process records it before anything is written, with the first
 * transaction number of that life. A cursor names the newest incarnation that its snapshot sees (R93).
 *
 * A restore from files, or the change to another machine, starts another PostgreSQL; a restore from a
 * template gives the database another OID; a restore from a dump writes the rows of this table in other
 * transactions than they name.
 */

/** `first` is read from the snapshot, because transactions with lower numbers than this one's may still be open. */
const record = `
  insert into incarnations (id, first, database, started)
  select $1, pg_snapshot_xmax(pg_current_snapshot()), d.oid::bigint, pg_postmaster_start_time()
  from pg_database d
  where d.datname = current_database() and not exists (
    select 1 from (select database, started from incarnations order by written desc limit 1) newest
    where newest.database = d.oid::bigint and newest.started = pg_postmaster_start_time()
  )`

/**
 * As `record`, without parameters: for the round trip of a `begin` through a pooler, behind which another
 * PostgreSQL may answer without a new connection. Concurrent transactions may record the same life twice; a
 * cursor taken between them then gets a full response.
 */
export const recordStatement = record.replace(
  '$1',
  "encode(substring(uuid_send(gen_random_uuid()) from 9), 'hex')",
)

/** Cursors live seven days, and an incarnation issues them until the next one begins. */
const forget = `
  delete from incarnations old where exists (
    select 1 from incarnations later where later.written > old.written and later.at < now() - interval '8 days'
  )`

/**
 * Records this life of the database unless that was done. Called on each new connection, before its first
 * statement. Does nothing in a database without the table, which is migrated next.
 */
export async function recordIncarnation(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query("select to_regclass('incarnations') is not null as there")
  if (!rows[0]?.there) return
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')
  const { rowCount } = await client.query(record, [random])
  if (rowCount) await client.query(forget)
}

/** The incarnations of this database. Rows that came with a dump name other transactions than wrote them. */
const known = `
  select i.* from incarnations i join pg_database d on d.oid::bigint = i.database
  where d.datname = current_database()
    and i.xmin::text::bigint = i.written::text::numeric % 4294967296`

/**
 * The ID of the running incarnation; null while it is not recorded. A standby is in that of the primary it
 * follows: the newest it has replayed.
 */
export const newestIncarnation = `
  select newest.id from (select * from (${known}) known order by written desc limit 1) newest
  where newest.started = pg_postmaster_start_time() or pg_is_in_recovery()`

/**
 * The incarnation in cursors while the running one is not recorded. It matches none, so the next response is
 * full.
 */
const unrecorded = 'unrecorded'

/** What a cursor is made of. */
export type Moment = { snapshot: string; isStandby: boolean; newest: string | null }
type State = Moment & { held: boolean }

/** Select these with the rows, so that both are of one snapshot. */
export const moment = {
  snapshot: sql<string>`pg_current_snapshot()::text`,
  isStandby: sql<boolean>`pg_is_in_recovery()`,
  newest: sql<string | null>`(${sql.raw(newestIncarnation)})`,
}

/** The cursor of this moment. */
export function cursorOf({ snapshot, isStandby, newest }: Moment): string {
  return `${newest ?? unrecorded}-${isStandby ? cautious(snapshot) : snapshot}`
}

/**
 * The cursor of this moment, and the snapshot of `since` where it is of the running incarnation (R73, R93). A
 * cursor is a PostgreSQL snapshot: the rows that it does not see are those that changed since. Timestamps,
 * sequences and the newest transaction number would miss a row whose transaction commits late.
 */
export async function currentCursor(db: Db, since: string | undefined) {
  const [given = '', from = '0:0:'] =
    since?.match(/^([0-9a-f]{16})-(\d{1,19}:\d{1,19}:[\d,]*)$/)?.slice(1) ?? []
  const [oldestOpen = '0'] = from.split(':')
  const { rows } = await db.execute<State>(sql`
    select ${moment.snapshot} as snapshot, ${moment.isStandby} as "isStandby", ${moment.newest} as newest,
      ${oldestOpen}::xid8 <= pg_snapshot_xmax(pg_current_snapshot()) as held`)
  const { held, ...now } = existing(rows[0])
  return { cursor: cursorOf(now), from: held && given === now.newest ? from : undefined }
}

/** The most transactions in a cursor, which is part of a URL. */
const maxOpen = 200

/**
 * The snapshot of a standby, with every transaction that may still be open. PostgreSQL leaves them out there:
 * it writes `725:728:` where the primary writes `725:728:725`, and the row of 725 would never be sent.
 * Refusal: unavailable, when they are too many.
 */
function cautious(snapshot: string): string {
  const [oldestOpen = 0n, next = 0n] = snapshot.split(':', 2).map(BigInt)
  const count = Number(next - oldestOpen)
  if (count > maxOpen) throw new Refusal('unavailable')
  const open = Array.from({ length: count }, (_, at) => oldestOpen + BigInt(at))
  return `${oldestOpen}:${next}:${open.join(',')}`
}
