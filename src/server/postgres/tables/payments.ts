import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Network } from '#domain/users/payout-number.ts'
import type { PaymentRow } from '../../ports/stores/payment-store.ts'
import { users } from './accounts.ts'
import { moment } from './columns.ts'
import { deliveries } from './deliveries.ts'

/** Charges, refunds and payouts (R172). */
export const payments = pgTable(
  'payments',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').$type<PaymentRow['kind']>().notNull(),
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => deliveries.id),
    driverId: uuid('driver_id').references(() => users.id),
    chargeId: uuid('charge_id'),
    cause: text('cause').$type<PaymentRow['cause']>(),
    pesewas: integer('pesewas').notNull(),
    phone: text('phone'),
    network: text('network').$type<Network>(),
    status: text('status').$type<PaymentRow['status']>().notNull(),
    reference: text('reference'),
    message: text('message'),
    otp: text('otp'),
    dueAt: moment('due_at'),
    tries: integer('tries').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [
    index('payments_delivery').on(t.deliveryId),
    index('payments_due').on(t.dueAt).where(sql`due_at is not null`),
    index('payments_by_status').on(t.kind, t.status, t.createdAt, t.id),
    index('payments_by_date').on(t.kind, t.createdAt, t.id),
    index('payments_driver').on(t.driverId, t.createdAt).where(sql`driver_id is not null`),
    check('payments_kind_known', sql`kind in ('charge', 'refund', 'payout')`),
    check(
      'payments_status_known',
      sql`status in ('waiting', 'sent', 'otp', 'paid', 'failed', 'reversed')`,
    ),
    check('payments_move_money', sql`pesewas > 0`),
  ],
)
