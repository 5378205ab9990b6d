import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Commute } from '#domain/users/commute.ts'
import type { Licence } from '#domain/users/licence.ts'
import type { NotificationSettings } from '#domain/users/notification-settings.ts'
import type { PayoutNumber } from '#domain/users/payout-number.ts'
import type { Suspension } from '#domain/users/standing/suspension.ts'
import type { DriverStatus, OfficeRole, Role } from '#domain/users/user.ts'
import type { Purpose, SecondFactor } from '../../ports/stores/account-stores.ts'
import { moment } from './columns.ts'

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    /** The e-mail as it is compared (`normalizeEmail`, R7): the database's locale does not matter. */
    emailKey: text('email_key').notNull(),
    phone: text('phone').notNull(),
    role: text('role').$type<Role>().notNull(),
    verified: boolean('verified').notNull(),
    driverStatus: text('driver_status').$type<DriverStatus>(),
    passwordHash: text('password_hash').notNull(),
    createdAt: moment('created_at').notNull(),
    /** A new number that is not confirmed yet (R10). Until then `phone` stays. */
    pendingPhone: text('pending_phone'),
    /** When a confirmed number last replaced another. */
    phoneChangedAt: moment('phone_changed_at'),
    /** What others rated this person with, together, and how often (R113). */
    ratedStars: integer('rated_stars').notNull().default(0),
    ratedTimes: integer('rated_times').notNull().default(0),
    /** Of a driver (R114). The licence's last day is `2026-11-21`. */
    photo: text('photo'),
    licenceNumber: text('licence_number'),
    licenceExpires: text('licence_expires'),
    /** A changed one that no admin has looked at (R139). */
    licencePending: jsonb('licence_pending').$type<Licence>(),
    /** Which notifications they want (R121). */
    notifications: jsonb('notifications').$type<NotificationSettings>(),
    /** Of a driver (R166). */
    commutes: jsonb('commutes').$type<Commute[]>(),
    /** Of a driver: the number they are paid to, one that counts later, and one that is not confirmed yet (R175). */
    payout: jsonb('payout').$type<PayoutNumber>(),
    nextPayout: jsonb('next_payout').$type<PayoutNumber>(),
    pendingPayout: jsonb('pending_payout').$type<PayoutNumber>(),
    /** Why, since when and until when (R198). */
    suspended: jsonb('suspended').$type<Suspension>(),
    /** Of a colleague: the second factor of their login (R213). */
    factor: jsonb('factor').$type<SecondFactor>(),
  },
  (t) => [
    uniqueIndex('users_email').on(t.emailKey),
    // Only a verified number is unique, so that nobody can block another's. An admin may have none.
    uniqueIndex('users_verified_phone').on(t.phone).where(sql`verified and phone <> ''`),
    index('users_phone').on(t.phone, t.createdAt),
    index('users_by_date').on(t.createdAt, t.id),
    index('users_by_name').on(sql`lower(name)`, t.id),
    index('users_by_email').on(t.emailKey, t.id),
    index('users_office').on(t.createdAt).where(sql`role in ('admin', 'support')`),
    index('users_pending_phone').on(t.pendingPhone),
    index('users_photo').on(t.photo).where(sql`photo is not null`),
    index('users_suspended').on(t.id).where(sql`suspended is not null`),
    // Drivers who want to hear of a route, for processes of the version before (R120).
    index('users_notified_routes')
      .using('gin', sql`(notifications -> 'routes') jsonb_path_ops`)
      .where(sql`driver_status = 'approved'`),
    check('users_role_known', sql`role in ('sender', 'driver', 'admin', 'support', 'user')`),
    check(
      'users_driver_status_known',
      sql`driver_status in ('pending', 'approved', 'rejected') and (driver_status is null or role = 'driver')`,
    ),
  ],
)

/** The form in which ID numbers are compared: capital letters and digits alone (R201). */
export const idNumberKey = (number: unknown) =>
  sql`upper(regexp_replace(${number}, '[^A-Za-z0-9]', '', 'g'))`

export const applications = pgTable(
  'applications',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id),
    status: text('status').$type<DriverStatus>().notNull(),
    idType: text('id_type').notNull(),
    idNumber: text('id_number').notNull(),
    /** Empty once the photo was deleted. */
    idPhoto: text('id_photo').notNull(),
    createdAt: moment('created_at').notNull(),
    /** When an admin last approved or rejected it. */
    decidedAt: moment('decided_at'),
    /** Why it was rejected, as its driver reads it (R200). */
    reason: text('reason'),
  },
  (t) => [
    check('applications_status_known', sql`status in ('pending', 'approved', 'rejected')`),
    index('applications_decided').on(t.decidedAt).where(sql`id_photo <> ''`),
    index('applications_photo').on(t.idPhoto).where(sql`id_photo <> ''`),
    index('applications_id_number').on(idNumberKey(t.idNumber)),
    index('applications_by_date').on(t.createdAt, t.userId),
    index('applications_by_status').on(t.status, t.createdAt, t.userId),
  ],
)

/** What the office writes down about a person, who never reads it (R202). */
export const userNotes = pgTable(
  'user_notes',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    text: text('text').notNull(),
    /** The admin's name at that time. */
    by: text('by').notNull(),
    at: moment('at').notNull(),
  },
  (t) => [index('user_notes_user').on(t.userId, t.at)],
)

export const sessions = pgTable(
  'sessions',
  {
    hash: text('hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    usedAt: moment('used_at').notNull(),
    /** The ID by which its owner ends it; the hash is never sent. */
    id: uuid('id').notNull().defaultRandom(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** The browser and system it was opened with, in a few words. */
    device: text('device').notNull().default(''),
  },
  (t) => [
    uniqueIndex('sessions_id').on(t.id),
    index('sessions_created').on(t.createdAt),
    index('sessions_user').on(t.userId),
    index('sessions_used').on(t.usedAt),
  ],
)

/** People who are invited to the office (R209). `id`: their account's once they accept. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    emailKey: text('email_key').notNull(),
    role: text('role').$type<OfficeRole>().notNull(),
    /** Of the link's secret, which is stored nowhere. */
    hash: text('hash').notNull(),
    invitedBy: uuid('invited_by')
      .notNull()
      .references(() => users.id),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    uniqueIndex('invitations_email').on(t.emailKey),
    uniqueIndex('invitations_hash').on(t.hash),
    index('invitations_invited_by').on(t.invitedBy),
    index('invitations_expires').on(t.expiresAt),
    check('invitations_role_known', sql`role in ('admin', 'support')`),
  ],
)

/** Numbers that a guest has confirmed by a code, each as a keyed hash (R109). */
export const confirmedPhones = pgTable('confirmed_phones', {
  key: text('key').primaryKey(),
  at: moment('at').notNull(),
})

export const codes = pgTable(
  'codes',
  {
    /** Of the account; of a guest the newest of their deliveries (R109). */
    userId: uuid('user_id').notNull(),
    purpose: text('purpose').$type<Purpose>().notNull(),
    phone: text('phone').notNull(),
    hash: text('hash').notNull(),
    wrong: integer('wrong').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.purpose] }), index('codes_phone').on(t.phone)],
)
