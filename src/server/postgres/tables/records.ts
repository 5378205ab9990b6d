import { sql } from 'drizzle-orm'
import {
  bigint,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { bytes, moment, transactionId } from './columns.ts'

export const settings = pgTable('settings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})

/** One line for each life of the database: `connection/incarnations.ts` (R93). */
export const incarnations = pgTable('incarnations', {
  id: text('id').primaryKey(),
  /** No transaction of this incarnation has a lower number. */
  first: transactionId('first').notNull(),
  /** The transaction that recorded it. */
  written: transactionId('written').notNull().default(sql`pg_current_xact_id()`),
  /** OID of the database. */
  database: bigint('database', { mode: 'number' }).notNull(),
  /** When PostgreSQL was started, to the microsecond: it is compared. */
  started: timestamp('started', { withTimezone: true }).notNull(),
  at: moment('at').notNull().defaultNow(),
})

export const attempts = pgTable(
  'attempts',
  { id: uuid('id').primaryKey(), key: text('key').notNull(), at: moment('at').notNull() },
  (t) => [index('attempts_key').on(t.key, t.at), index('attempts_at').on(t.at)],
)

/** How often something was done in a window that begins with the first time; one row each (R64, R140). */
export const counters = pgTable('counters', {
  key: text('key').primaryKey(),
  began: moment('began').notNull(),
  count: integer('count').notNull(),
})

export const requests = pgTable(
  'requests',
  {
    id: text('id').primaryKey(),
    fingerprint: text('fingerprint').notNull(),
    status: integer('status'),
    /** The response's body, sealed, because it may hold a secret. */
    sealed: bytes('sealed'),
    /** The account or guest's delivery that sent it; missing without a caller and in rows of earlier versions (R216). */
    person: uuid('person'),
    at: moment('at').notNull(),
  },
  (t) => [
    index('requests_at').on(t.at),
    index('requests_person').on(t.person).where(sql`person is not null`),
    index('requests_refused').on(t.at).where(sql`status >= 400`),
    // Rows of an earlier version: upkeep cuts them.
    index('requests_too_large').on(t.id).where(sql`octet_length(sealed) > 8192`),
  ],
)

/** Admins' actions and their views of ID photos (R55, R57). A trigger makes it append-only. */
export const audit = pgTable(
  'audit',
  {
    id: uuid('id').primaryKey(),
    at: moment('at').notNull(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subject: text('subject').notNull(),
    address: text('address').notNull(),
  },
  (t) => [index('audit_by_date').on(t.at, t.id)],
)

/** Phones by their support code, and what each last reported (R92). */
export const devices = pgTable(
  'devices',
  {
    code: text('code').primaryKey(),
    at: moment('at').notNull(),
    queueLength: integer('queue_length').notNull(),
    clientVersion: bigint('client_version', { mode: 'number' }),
    userId: uuid('user_id').references(() => users.id),
    /** Everybody who was ever logged in there (R203). */
    userIds: uuid('user_ids').array().notNull().default(sql`'{}'`),
  },
  (t) => [index('devices_at').on(t.at), index('devices_users').using('gin', t.userIds)],
)

export const activities = pgTable(
  'activities',
  {
    id: uuid('id').primaryKey(),
    type: text('type').notNull(),
    message: text('message').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [index('activities_by_date').on(t.createdAt, t.id)],
)

const rollup = () => ({
  /** A day of Accra. */
  day: date('day').notNull(),
  /**
   * `status:<status>`: deliveries created on that day, by the status they have now. `arrived`: those that
   * reached Delivered on that day, by `value`, their minutes. `released`, `tips`: what drivers earned, with the fee.
   * `cameIn`, `held`, `owed`, `paidOut`, `refunded`, `fees`: what the ledger moved (R184). `users`: accounts.
   */
  kind: text('kind').notNull(),
  value: integer('value').notNull(),
  count: bigint('count', { mode: 'number' }).notNull(),
  pesewas: bigint('pesewas', { mode: 'number' }).notNull(),
})

/** Counts and sums of each day, so that statistics need not read every delivery: `records/rollups.ts`. */
export const rollups = pgTable('rollups', rollup(), (t) => [
  primaryKey({ columns: [t.kind, t.day, t.value] }),
])

/**
 * Changes that are not yet folded into the rollups. Triggers insert them with each change; updating one row a
 * day instead would make all changes wait for its lock.
 */
export const rollupChanges = pgTable('rollup_changes', rollup())
