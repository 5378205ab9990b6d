import { type SQL, sql } from 'drizzle-orm'
import type { Stats, Trends } from '#contract/answers.ts'
import type { Status } from '#domain/deliveries/delivery.ts'
import { toCedis } from '#domain/money.ts'
import type { Db } from '../db.ts'

export async function statsOver(db: Db): Promise<Stats> {
  const { rows } = await db.execute<Record<keyof Stats, string>>(sql`
    select (select count(*) from users) as "totalUsers",
      count(*) as "totalDeliveries",
      coalesce(sum(pesewas) filter (where status = 'Approved'), 0) as "totalRevenue",
      count(*) filter (where status = 'Pending') as "pendingDeliveries",
      (select count(*) from applications where status = 'pending') as "pendingDrivers",
      (select count(*) from disputes where status = 'open') as "openDisputes"
    from deliveries`)
  const of = (name: keyof Stats) => Number(rows[0]?.[name] ?? 0)
  return {
    totalUsers: of('totalUsers'),
    totalDeliveries: of('totalDeliveries'),
    totalRevenue: toCedis(of('totalRevenue')),
    pendingDeliveries: of('pendingDeliveries'),
    pendingDrivers: of('pendingDrivers'),
    openDisputes: of('openDisputes'),
  }
}

/** The time zone whose days are counted. */
const zone = sql.raw("'Africa/Accra'")
const dayOf = (moment: SQL) => sql`(${moment} at time zone ${zone})::date`

type Asked = { day: string; status: Status; count: number }
type Paid = { day: string; pesewas: string }
type Timed = { day: string; count: number; minutes: number }

export async function trendsOver(db: Db, days: number, at: string): Promise<Trends> {
  const last = sql`(${at}::timestamptz at time zone ${zone})::date`
  const first = sql`(${last} - ${days - 1}::int)`
  const since = sql`(${first}::timestamp at time zone ${zone})`
  const asked = await db.execute<Asked>(sql`
    select ${dayOf(sql`created_at`)}::text as day, status, count(*)::int as count
    from deliveries where created_at >= ${since} group by 1, 2`)
  const paid = await db.execute<Paid>(sql`
    select ${dayOf(sql`t.at`)}::text as day, sum(e.pesewas) as pesewas
    from transfers t join entries e on e.transfer_id = t.id and e.pesewas > 0
    where t.kind = 'release' and t.at >= ${since} group by 1`)
  // A delivery that arrived in these days was updated in them, so older rows are not read.
  const timed = await db.execute<Timed>(sql`
    with arrived as (
      select created_at, (
        select (step->>'at')::timestamptz from jsonb_array_elements(history) step
        where step->>'status' = 'Delivered' limit 1
      ) as at
      from deliveries where status in ('Delivered', 'Approved') and updated_at >= ${since}
    )
    select ${dayOf(sql`at`)}::text as day, count(*)::int as count,
      percentile_cont(0.5) within group (order by extract(epoch from at - created_at) / 60)
        ::float8 as minutes
    from arrived where at >= ${since} group by 1`)
  const calendar = await db.execute<{ day: string }>(sql`
    select day::date::text as day
    from generate_series(${first}::timestamp, ${last}::timestamp, interval '1 day') day`)
  return {
    days: calendar.rows.map(({ day }) => {
      const counts = asked.rows.filter((row) => row.day === day)
      const money = paid.rows.find((row) => row.day === day)
      const time = timed.rows.find((row) => row.day === day)
      return {
        day,
        statuses: withAll(counts),
        revenue: toCedis(Number(money?.pesewas ?? 0)),
        delivered: time?.count ?? 0,
        ...(time ? { minutes: Math.round(time.minutes) } : {}),
      }
    }),
  }
}

function withAll(counts: Asked[]): Record<Status, number> {
  const of = (status: Status) => counts.find((row) => row.status === status)?.count ?? 0
  return {
    Pending: of('Pending'),
    Accepted: of('Accepted'),
    'Picked Up': of('Picked Up'),
    Delivered: of('Delivered'),
    Approved: of('Approved'),
    Cancelled: of('Cancelled'),
  }
}
