import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Status, StatusChange } from '#domain/delivery.ts'
import type { DisputeStatus } from '#domain/dispute.ts'
import type { Contact, DriverStatus, Role } from '#domain/user.ts'

/*
 * What PostgreSQL keeps. Triggers that Drizzle cannot say (the cursor's `changed`, `version`, the
 * ledger's balance) are in the migrations.
 */

const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (value) => Buffer.from(value),
  fromDriver: (value) => new Uint8Array(value),
})

/** The transaction that last wrote a row: what a cursor compares with. As text, for it is 64 bits. */
const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const settings = pgTable('settings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    /** The e-mail as it is compared (`sameEmail`): case folded by us, not by the database's locale. */
    emailKey: text('email_key').notNull(),
    phone: text('phone').notNull(),
    role: text('role').$type<Role>().notNull(),
    verified: boolean('verified').notNull(),
    driverStatus: text('driver_status').$type<DriverStatus>(),
    passwordHash: text('password_hash').notNull(),
    createdAt: moment('created_at').notNull(),
    /** A new number that is not confirmed yet. Until it is, `phone` stays as it was. */
    pendingPhone: text('pending_phone'),
    /** When a confirmed number last took the place of another. */
    phoneChangedAt: moment('phone_changed_at'),
  },
  (t) => [
    uniqueIndex('users_email').on(t.emailKey),
    // Only a number that was proved belongs to anybody: nobody can squat on another's.
    // An admin may have none.
    uniqueIndex('users_verified_phone').on(t.phone).where(sql`verified and phone <> ''`),
    index('users_phone').on(t.phone, t.createdAt),
    index('users_by_date').on(t.createdAt, t.id),
    index('users_by_name').on(sql`lower(name)`, t.id),
    index('users_by_email').on(t.emailKey, t.id),
    index('users_pending_phone').on(t.pendingPhone),
    check('users_role_known', sql`role in ('sender', 'driver', 'admin', 'user')`),
    check(
      'users_driver_status_known',
      sql`driver_status in ('pending', 'approved', 'rejected') and (driver_status is null or role = 'driver')`,
    ),
  ],
)

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
  },
  (t) => [
    check('applications_status_known', sql`status in ('pending', 'approved', 'rejected')`),
    index('applications_decided').on(t.decidedAt).where(sql`id_photo <> ''`),
    index('applications_by_date').on(t.createdAt, t.userId),
    index('applications_by_status').on(t.status, t.createdAt, t.userId),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    hash: text('hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    usedAt: moment('used_at').notNull(),
    /** Names the session to its owner; the hash is never shown. */
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

export const codes = pgTable(
  'codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    purpose: text('purpose').$type<'verify' | 'reset'>().notNull(),
    phone: text('phone').notNull(),
    hash: text('hash').notNull(),
    wrong: integer('wrong').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.purpose] }), index('codes_phone').on(t.phone)],
)

export const attempts = pgTable(
  'attempts',
  { id: uuid('id').primaryKey(), key: text('key').notNull(), at: moment('at').notNull() },
  (t) => [index('attempts_key').on(t.key, t.at), index('attempts_at').on(t.at)],
)

export const requests = pgTable(
  'requests',
  {
    id: text('id').primaryKey(),
    fingerprint: text('fingerprint').notNull(),
    status: integer('status'),
    /** The answer's body, sealed: it may carry a token. */
    sealed: bytes('sealed'),
    at: moment('at').notNull(),
  },
  (t) => [index('requests_at').on(t.at)],
)

export const deliveries = pgTable(
  'deliveries',
  {
    id: uuid('id').primaryKey(),
    status: text('status').$type<Status>().notNull(),
    itemDescription: text('item_description').notNull(),
    pickupZone: text('pickup_zone').notNull(),
    dropoffZone: text('dropoff_zone').notNull(),
    pesewas: integer('pesewas').notNull(),
    itemPhoto: text('item_photo'),
    proofOfDelivery: text('proof_of_delivery'),
    recipientName: text('recipient_name').notNull(),
    recipientPhone: text('recipient_phone').notNull(),
    deliveryCode: text('delivery_code').notNull(),
    isGuest: boolean('is_guest').notNull(),
    senderName: text('sender_name').notNull(),
    senderPhone: text('sender_phone').notNull(),
    senderId: uuid('sender_id').references(() => users.id),
    sender: jsonb('sender').$type<Contact>(),
    driverId: uuid('driver_id').references(() => users.id),
    driver: jsonb('driver').$type<Contact>(),
    history: jsonb('history').$type<StatusChange[]>().notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    version: integer('version').notNull().default(1),
    changed: transactionId('changed').notNull().default(sql`pg_current_xact_id()`),
    /** The transaction in which it last stopped being Pending. */
    leftPending: transactionId('left_pending'),
    /** The driver it was last taken from. */
    releasedFrom: uuid('released_from').references(() => users.id),
  },
  (t) => [
    uniqueIndex('deliveries_one_active_job')
      .on(t.driverId)
      .where(sql`status in ('Accepted', 'Picked Up')`),
    uniqueIndex('deliveries_one_active_delivery')
      .on(t.senderId)
      .where(sql`status in ('Pending', 'Accepted', 'Picked Up', 'Delivered')`),
    index('deliveries_sender').on(t.senderId, t.createdAt, t.id),
    index('deliveries_driver').on(t.driverId, t.createdAt, t.id),
    index('deliveries_status').on(t.status, t.createdAt, t.id),
    index('deliveries_by_date').on(t.createdAt, t.id),
    index('deliveries_by_offer').on(t.pesewas, t.id),
    index('deliveries_arrived').on(t.updatedAt).where(sql`status in ('Delivered', 'Approved')`),
    index('deliveries_route').on(t.status, t.pickupZone, t.dropoffZone, t.createdAt, t.id),
    index('deliveries_changed').on(t.changed),
    index('deliveries_sender_changed').on(t.senderId, t.changed),
    index('deliveries_driver_changed').on(t.driverId, t.changed),
    index('deliveries_released_changed')
      .on(t.releasedFrom, t.changed)
      .where(sql`released_from is not null`),
  ],
)

export const guestTokens = pgTable(
  'guest_tokens',
  {
    hash: text('hash').primaryKey(),
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => deliveries.id),
  },
  (t) => [index('guest_tokens_delivery').on(t.deliveryId)],
)

/** Photos that the built-in provider keeps, by the name of their file. */
export const photos = pgTable(
  'photos',
  {
    name: text('name').primaryKey(),
    /** Readable by admins alone. */
    isPrivate: boolean('is_private').notNull(),
    /** A delivery or an application refers to it. */
    isUsed: boolean('is_used').notNull(),
    bytes: integer('bytes').notNull(),
    /** A keyed hash of the address it was sent from. */
    uploader: text('uploader').notNull(),
    at: moment('at').notNull(),
  },
  (t) => [
    index('photos_unused').on(t.at).where(sql`not is_used`),
    index('photos_uploader').on(t.uploader, t.at),
  ],
)

/** What admins did, and which ID photos they looked at. Append-only by a trigger. */
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

const choice = () => ({
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  /** The name as it is compared (`sameName`). */
  nameKey: text('name_key').notNull(),
  at: moment('at').notNull(),
  place: integer('place').notNull().generatedAlwaysAsIdentity(),
})
export const zones = pgTable('zones', choice(), (t) => [uniqueIndex('zones_name').on(t.nameKey)])
export const items = pgTable('items', choice(), (t) => [uniqueIndex('items_name').on(t.nameKey)])

export const disputes = pgTable(
  'disputes',
  {
    id: uuid('id').primaryKey(),
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => deliveries.id),
    issue: text('issue').notNull(),
    type: text('type').$type<'sender_issue' | 'driver_issue'>().notNull(),
    priority: text('priority').notNull(),
    createdAt: moment('created_at').notNull(),
    status: text('status').$type<DisputeStatus>().notNull().default('open'),
    resolution: text('resolution'),
    resolvedAt: moment('resolved_at'),
    resolvedBy: uuid('resolved_by').references(() => users.id),
  },
  (t) => [
    index('disputes_by_date').on(t.createdAt, t.id),
    index('disputes_by_status').on(t.status, t.createdAt, t.id),
    index('disputes_delivery').on(t.deliveryId),
    check('disputes_status_known', sql`status in ('open', 'resolved')`),
  ],
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

/** One movement of money for one delivery; its entries sum to zero (a deferred trigger sees to it). */
export const transfers = pgTable(
  'transfers',
  {
    id: uuid('id').primaryKey(),
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => deliveries.id),
    kind: text('kind').$type<'hold' | 'release' | 'refund'>().notNull(),
    at: moment('at').notNull(),
  },
  (t) => [
    uniqueIndex('transfers_once').on(t.deliveryId, t.kind),
    index('transfers_by_date').on(t.kind, t.at),
    // Money that was held goes one way, once.
    uniqueIndex('transfers_one_way').on(t.deliveryId).where(sql`kind in ('release', 'refund')`),
    check('transfers_kind_known', sql`kind in ('hold', 'release', 'refund')`),
  ],
)

export const entries = pgTable(
  'entries',
  {
    transferId: uuid('transfer_id')
      .notNull()
      .references(() => transfers.id),
    account: text('account').notNull(),
    /** Above zero: credited; below: debited. */
    pesewas: bigint('pesewas', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.transferId, t.account] }),
    index('entries_account').on(t.account),
    check('entries_account_known', sql`account ~ '^(escrow|driver|sender|guest):'`),
    check('entries_move_money', sql`pesewas <> 0`),
  ],
)
