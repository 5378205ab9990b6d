import type { PaymentRow, Payments } from '#server/ports/stores/payment-store.ts'
import type { ServerDb } from './database.ts'
import { pageOf } from './page-of.ts'

const sortings = { createdAt: ({ createdAt }: PaymentRow) => createdAt }

export function paymentsOver({ payments }: ServerDb): Payments {
  return {
    async add(payment) {
      await payments.add(payment)
    },
    lock: (id) => payments.get(id),
    async save(payment) {
      await payments.put(payment)
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
  }
}
