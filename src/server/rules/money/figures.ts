import type { MoneyDay } from '#contract/responses.ts'
import { toCedis } from '#domain/money.ts'
import type { MoneyTotals } from '../../ports/stores/record-stores.ts'

/** Figures in pesewas, in cedis. */
export const inCedis = (totals: MoneyTotals): MoneyTotals => ({
  cameIn: toCedis(totals.cameIn),
  held: toCedis(totals.held),
  owed: toCedis(totals.owed),
  paidOut: toCedis(totals.paidOut),
  refunded: toCedis(totals.refunded),
  fees: toCedis(totals.fees),
})

/** What moved on each of these days, in cedis; on some nothing did. `totals` in pesewas. */
export function byDay(
  days: string[],
  totals: readonly (MoneyTotals & { day: string })[],
): MoneyDay[] {
  const found = new Map(totals.map((each) => [each.day, inCedis(each)]))
  return days.map((day) => {
    const { cameIn = 0, paidOut = 0, refunded = 0, fees = 0 } = found.get(day) ?? {}
    return { day, held: cameIn, paidOut, refunded, fees }
  })
}
