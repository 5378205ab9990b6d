import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db.ts'

/*
 *   a change ──trigger──▶ rollup_changes ──fold──▶ rollups        what a statistic reads: both
 *
 * `rollups_now()` counts everything anew: it rebuilds the two tables and verifies them.
 */

/** The rollups of this kind, or kinds that match a pattern, with the changes that are not added up yet. */
export const rollupsOf = (kind: SQL) => sql`(
  select day, kind, value, sum(count) as count, sum(pesewas) as pesewas
  from ${rollupRowsOf(kind)} group by day, kind, value
) r`

/** As `rollupsOf`, with a row for each change, whose count may be negative. */
export const rollupRowsOf = (kind: SQL) => sql`(
  select * from rollups where ${kind} union all select * from rollup_changes where ${kind}
) every`

/** Only one process at a time folds or rebuilds; readers do not wait. */
const lock = sql`lock table rollups in exclusive mode`

/** A statement over all deliveries takes longer than any call may. */
const readsEverything = sql`set local statement_timeout = '1h'`

/** Adds the changes to the rollups, in a transaction. */
export async function foldRollups(db: Db): Promise<void> {
  await db.execute(lock)
  await db.execute(sql`
    with folded as (delete from rollup_changes returning *)
    insert into rollups (day, kind, value, count, pesewas)
    select day, kind, value, sum(count), sum(pesewas) from folded group by day, kind, value
    on conflict (kind, day, value) do update
      set count = rollups.count + excluded.count, pesewas = rollups.pesewas + excluded.pesewas`)
}

/**
 * Counts everything anew, in a transaction of its own. The snapshot decides what is counted: a change that
 * commits later keeps its row in `rollup_changes`.
 */
export async function rebuildRollups(db: Db): Promise<void> {
  // The snapshot is taken only after the lock.
  await db.execute(sql`set transaction isolation level repeatable read`)
  await db.execute(readsEverything)
  await db.execute(lock)
  await db.execute(sql`delete from rollup_changes`)
  await db.execute(sql`delete from rollups`)
  await db.execute(sql`
    insert into rollups (day, kind, value, count, pesewas) select * from rollups_now()`)
}

/** Compares the rollups with everything that is stored, in a transaction. How many of them are wrong. */
export async function countWrongRollups(db: Db): Promise<number> {
  await db.execute(readsEverything)
  const { rows } = await db.execute<{ wrong: number }>(sql`
    select count(*)::int as wrong
    from ${rollupsOf(sql`true`)} full join rollups_now() n using (day, kind, value)
    where coalesce(r.count, 0) <> coalesce(n.count, 0) or coalesce(r.pesewas, 0) <> coalesce(n.pesewas, 0)`)
  return rows[0]?.wrong ?? 0
}
