import { idEndOf } from '#domain/deliveries/reference.ts'
import type { PaymentRow, Payments, PayoutRow } from '#server/ports/stores/payment-store.ts'
import type { ServerDb } from './database.ts'
import { matchesSearch, pageOf } from './page-of.ts'

const sortings = { createdAt: ({ createdAt }: PaymentRow) => createdAt }

export function paymentsOver({ payments, users }: ServerDb): Payments {
  async function toPayout(row: PaymentRow): Promise<PayoutRow & { email: string }> {
    const { name = '', email = '' } = (await users.get(row.driverId ?? '')) ?? {}
    return { ...row, driver: { id: row.driverId ?? '', name }, email }
  }
  return {
    async add(payment) {
      await payments.add(payment)
    },
    lock: (id) => payments.get(id),
    async save(payment) {
      await payments.put(payment)
    },
    async remove(id) {
      await payments.delete(id)
    },
    async takeDue(at, limit, until) {
      const due = await payments.where('dueAt').belowOrEqual(at).limit(limit).toArray()
      const taken = due.map((row) => ({ ...row, dueAt: until, tries: row.tries + 1 }))
      await payments.bulkPut(taken)
      return taken
    },
    changedSince: (at) => payments.filter(({ updatedAt }) => updatedAt >= at).toArray(),
    ofDelivery: (deliveryId) => payments.where({ deliveryId }).sortBy('createdAt'),
    async list(page, { kind, statuses, driverId }) {
      const rows = await payments
        .filter(
          (row) =>
            row.kind === kind &&
            (!statuses || statuses.includes(row.status)) &&
            (driverId === undefined || row.driverId === driverId),
        )
        .toArray()
      return pageOf(rows, sortings, ({ id }) => id, { ...page, sort: page.sort ?? 'createdAt' })
    },
    async payout(id) {
      const row = await payments.get(id)
      return row && withoutEmail(await toPayout(row))
    },
    async payouts(page, statuses) {
      const found = await payments
        .filter((row) => row.kind === 'payout' && (!statuses || statuses.includes(row.status)))
        .toArray()
      const rows: PayoutRow[] = []
      for (const row of found) {
        const payout = await toPayout(row)
        if (matches(payout, page.search)) rows.push(withoutEmail(payout))
      }
      return pageOf(rows, sortings, ({ id }) => id, { ...page, sort: page.sort ?? 'createdAt' })
    },
  }
}

const withoutEmail = ({ email: _, ...row }: PayoutRow & { email: string }): PayoutRow => row

function matches(row: PayoutRow & { email: string }, search: string | undefined): boolean {
  const end = search && idEndOf(search)
  if (end) return row.id.endsWith(end) || row.deliveryId.endsWith(end)
  return matchesSearch(search, [row.driver.name, row.email]) || row.reference === search
}
