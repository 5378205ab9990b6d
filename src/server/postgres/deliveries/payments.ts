import { and, asc, eq, gte, inArray, lte, sql } from 'drizzle-orm'
import type { PaymentRow, Payments } from '../../ports/stores/payment-store.ts'
import type { Db } from '../db.ts'
import { pagedList, type Sorting } from '../paged-list.ts'
import { payments } from '../tables.ts'

const sortings: Record<string, Sorting> = {
  createdAt: { by: payments.createdAt, type: 'timestamptz' },
}

export function paymentsOver(db: Db): Payments {
  return {
    async add(payment) {
      const { createdAt, updatedAt, dueAt, ...rest } = payment
      await db.insert(payments).values({
        ...rest,
        createdAt: new Date(createdAt),
        updatedAt: new Date(updatedAt),
        dueAt: toDate(dueAt),
      })
    },
    async lock(id) {
      const [found] = await db
        .select()
        .from(payments)
        .where(eq(payments.id, id))
        .for('no key update')
      return found && toPayment(found)
    },
    async save({ id, status, reference, message, otp, dueAt, tries, phone, network, updatedAt }) {
      await db
        .update(payments)
        .set({
          status,
          reference: reference ?? null,
          message: message ?? null,
          otp: otp ?? null,
          dueAt: toDate(dueAt),
          tries,
          phone: phone ?? null,
          network: network ?? null,
          updatedAt: new Date(updatedAt),
        })
        .where(eq(payments.id, id))
    },
    async takeDue(at, limit, until) {
      const due = db
        .select({ id: payments.id })
        .from(payments)
        .where(lte(payments.dueAt, new Date(at)))
        .orderBy(asc(payments.dueAt))
        .limit(limit)
        .for('no key update', { skipLocked: true })
      const rows = await db
        .update(payments)
        .set({ dueAt: new Date(until), tries: sql`${payments.tries} + 1` })
        .where(inArray(payments.id, due))
        .returning()
      return rows.map(toPayment)
    },
    async changedSince(at) {
      const rows = await db
        .select()
        .from(payments)
        .where(gte(payments.updatedAt, new Date(at)))
      return rows.map(toPayment)
    },
    async ofDelivery(deliveryId) {
      const rows = await db
        .select()
        .from(payments)
        .where(eq(payments.deliveryId, deliveryId))
        .orderBy(asc(payments.createdAt), asc(payments.id))
      return rows.map(toPayment)
    },
    list: (page, { kind, statuses, driverId }) =>
      pagedList(db, payments, {
        page,
        sortings,
        fallback: 'createdAt',
        id: payments.id,
        where: and(
          eq(payments.kind, kind),
          statuses && inArray(payments.status, statuses),
          driverId === undefined ? undefined : eq(payments.driverId, driverId),
        ),
        toRow: toPayment,
      }),
  }
}

const toDate = (time: string | undefined) => (time === undefined ? null : new Date(time))

const toPayment = (row: typeof payments.$inferSelect): PaymentRow => ({
  id: row.id,
  kind: row.kind,
  deliveryId: row.deliveryId,
  driverId: row.driverId ?? undefined,
  chargeId: row.chargeId ?? undefined,
  cause: row.cause ?? undefined,
  pesewas: row.pesewas,
  phone: row.phone ?? undefined,
  network: row.network ?? undefined,
  status: row.status,
  reference: row.reference ?? undefined,
  message: row.message ?? undefined,
  otp: row.otp ?? undefined,
  dueAt: row.dueAt?.toISOString(),
  tries: row.tries,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
