import { and, asc, eq, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm'
import { idEndOf } from '#domain/deliveries/reference.ts'
import type { PaymentRow, Payments, PayoutRow } from '../../ports/stores/payment-store.ts'
import type { Db } from '../db.ts'
import { countRows, keysetPage, pagedList, type Sorting, splitPage } from '../paged-list.ts'
import { containsText, matchesSearch } from '../search.ts'
import { payments, users } from '../tables.ts'

const sortings: Record<string, Sorting> = {
  createdAt: { by: payments.createdAt, type: 'timestamptz' },
}

export function paymentsOver(db: Db): Payments {
  const withDriver = (where: SQL | undefined, position = sql<string>`''`) =>
    db
      .select({ row: payments, id: payments.id, name: users.name, position })
      .from(payments)
      .innerJoin(users, eq(users.id, payments.driverId))
      .where(where)
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
    async save(payment) {
      const { id, pesewas, status, reference, message, otp, dueAt } = payment
      const { tries, phone, network, updatedAt } = payment
      await db
        .update(payments)
        .set({
          pesewas,
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
    async remove(id) {
      await db.delete(payments).where(eq(payments.id, id))
    },
    async takeDue(at, limit, until) {
      // Locked first, as unused photos are.
      const due = await db
        .select({ id: payments.id })
        .from(payments)
        .where(lte(payments.dueAt, new Date(at)))
        .orderBy(asc(payments.dueAt))
        .limit(limit)
        .for('no key update', { skipLocked: true })
      if (due.length === 0) return []
      const ids = due.map(({ id }) => id)
      const rows = await db
        .update(payments)
        .set({ dueAt: new Date(until), tries: sql`${payments.tries} + 1` })
        .where(inArray(payments.id, ids))
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
    async payout(id) {
      const [found] = await withDriver(eq(payments.id, id))
      return found && toPayout(found)
    },
    async payouts(page, statuses) {
      const { order, position, after } = keysetPage(sortings, 'createdAt', page, payments.id)
      const where = and(
        eq(payments.kind, 'payout'),
        statuses && inArray(payments.status, statuses),
        matching(page.search),
      )
      const found = await withDriver(and(where, after), position)
        .orderBy(...order)
        .limit(page.limit + 1)
      const rows = found.map((each) => ({ ...each, row: toPayout(each) }))
      const [count] = await db.select({ total: countRows() }).from(payments).where(where)
      return { ...splitPage(rows, page.limit), total: count?.total ?? 0 }
    },
  }
}

/** Each part has its own index, but for the few letters at the end of an ID (R98). */
function matching(search: string | undefined): SQL | undefined {
  if (!search) return undefined
  const end = idEndOf(search)
  if (end)
    return or(...[payments.id, payments.deliveryId].map((id) => sql`${id}::text like ${`%${end}`}`))
  const drivers = sql`select id from users
    where ${matchesSearch(users, search)} and ${containsText(search, [users.name, users.email])}`
  return or(sql`${payments.driverId} in (${drivers})`, eq(payments.reference, search))
}

const toDate = (time: string | undefined) => (time === undefined ? null : new Date(time))

const toPayout = ({ row, name }: { row: Row; name: string }): PayoutRow => ({
  ...toPayment(row),
  driver: { id: row.driverId ?? '', name },
})

type Row = typeof payments.$inferSelect

const toPayment = (row: Row): PaymentRow => ({
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
