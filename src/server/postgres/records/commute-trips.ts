import { and, type SQL, sql } from 'drizzle-orm'
import type { Trip } from '#domain/users/commutes.ts'
import { users } from '../tables.ts'

/*
 * Commutes are an array in the row of their driver. Each is two trips, there and back: `trip` has `from`, `to`, `time`
 * (`07:00`, null where it has none), `untimed` (its commute has no time at all, and this is the way there), `days`, `notify`.
 */

const commute = sql`jsonb_to_recordset(${users.commutes})
  as commute("from" text, "to" text, days jsonb, leaves text, returns text, notify boolean)`
const trip = sql`lateral (values
  (commute."from", commute."to", commute.leaves, num_nonnulls(commute.leaves, commute.returns) = 0, days, notify),
  (commute."to", commute."from", commute.returns, false, days, notify)
) as trip("from", "to", time, untimed, days, notify)`

/** The trips of a row of users, for `from`. */
const tripsOf = sql`${commute}, ${trip}`

/** Whether a trip is one of these. */
const isOneOf = (ways: readonly Trip[]): SQL => sql`(trip."from", trip."to") in (
  select * from unnest(${sql.param(ways.map(({ from }) => from))}::text[],
    ${sql.param(ways.map(({ to }) => to))}::text[]))`

/** Whether a row of users may have one of these trips, there or back, as the index of commutes finds it. */
const mayHave = (ways: readonly Trip[]): SQL => {
  const either = ways.flatMap(({ from, to }) => [
    JSON.stringify([{ from, to }]),
    JSON.stringify([{ from: to, to: from }]),
  ])
  return sql`${users.commutes} @> any(${sql.param(either)}::jsonb[])`
}

/** Whether a row of users has one of these trips for which `condition` holds. */
export const hasTrip = (ways: readonly Trip[], condition: SQL): SQL | undefined =>
  and(mayHave(ways), sql`exists (select from ${tripsOf} where ${isOneOf(ways)} and ${condition})`)
