import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { NotificationKind } from '#domain/notifications/kinds.ts'
import { sessions, users } from './accounts.ts'
import { moment } from './columns.ts'
import { deliveries, guestTokens } from './deliveries.ts'

/** Browsers that are told with the app closed. Each ends with the session or guest token it belongs to (R117). */
export const subscriptions = pgTable(
  'push_subscriptions',
  {
    id: uuid('id').primaryKey(),
    endpoint: text('endpoint').notNull(),
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    session: text('session').references(() => sessions.hash, { onDelete: 'cascade' }),
    guest: text('guest').references(() => guestTokens.hash, { onDelete: 'cascade' }),
    at: moment('at').notNull(),
  },
  (t) => [
    uniqueIndex('push_subscriptions_session').on(t.session),
    uniqueIndex('push_subscriptions_guest').on(t.guest),
    index('push_subscriptions_endpoint').on(t.endpoint),
    check('push_subscriptions_one_owner', sql`num_nonnulls(session, guest) = 1`),
  ],
)

/** Messages that are not sent yet, or wait for an SMS in their place (R115, R119). */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').$type<NotificationKind>().notNull(),
    audience: text('audience').$type<'user' | 'guest' | 'route'>().notNull(),
    userId: uuid('user_id').references(() => users.id),
    deliveryId: uuid('delivery_id').references(() => deliveries.id),
    at: moment('at').notNull(),
    dueAt: moment('due_at').notNull(),
    tries: integer('tries').notNull().default(0),
    remaining: jsonb('remaining').$type<string[]>(),
    smsAt: moment('sms_at'),
  },
  (t) => [
    index('notifications_due').on(t.dueAt),
    index('notifications_at').on(t.at),
    check('notifications_audience', sql`(audience = 'user') = (user_id is not null)`),
  ],
)
