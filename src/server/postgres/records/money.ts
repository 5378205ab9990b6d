import { sql } from 'drizzle-orm'
import type { MoneyTotals } from '../../ports/stores/record-stores.ts'
import type { Db } from '../db.ts'
import { rollupsOf } from './rollups.ts'

const figures = ['cameIn', 'held', 'owed', 'paidOut', 'refunded', 'fees'] as const
const isFigure = sql`kind in ${figures}`

type Sum = { kind: keyof MoneyTotals; pesewas: string }

/** What came in, and where it is now (R184). */
export async function moneyTotals(db: Db): Promise<MoneyTotals> {
  const { rows } = await db.execute<Sum>(sql`
    select kind, sum(pesewas) as pesewas from ${rollupsOf(isFigure)} group by kind`)
  return totalsOf(rows)
}

/** What moved on each of the days, from the first of them to the last. */
export async function moneyByDay(
  db: Db,
  days: string[],
): Promise<(MoneyTotals & { day: string })[]> {
  const isOne = sql`${isFigure} and day between ${days[0]}::date and ${days.at(-1)}::date`
  const { rows } = await db.execute<Sum & { day: string }>(sql`
    select day::text, kind, pesewas from ${rollupsOf(isOne)}`)
  const found = new Set(rows.map(({ day }) => day))
  return [...found].map((day) => ({ day, ...totalsOf(rows.filter((row) => row.day === day)) }))
}

const totalsOf = (sums: Sum[]): MoneyTotals =>
  Object.fromEntries(
    figures.map((name) => [name, Number(sums.find(({ kind }) => kind === name)?.pesewas ?? 0)]),
  ) as MoneyTotals
