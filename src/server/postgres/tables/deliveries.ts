import { isNotNull, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Delivery, Status, StatusChange } from '#domain/deliveries/delivery.ts'
import type { DisputeStatus } from '#domain/deliveries/dispute.ts'
import type { Decision, Incident } from '#domain/deliveries/endings/incidents.ts'
import type { ItemSize } from '#domain/deliveries/item.ts'
import {
  type PaymentMode,
  repeatableKinds,
  type TransferKind,
  transferKinds,
} from '#domain/deliveries/payment.ts'
import type { Place } from '#domain/deliveries/places/place.ts'
import type { Ratings } from '#domain/users/rating.ts'
import type { Contact } from '#domain/users/user.ts'
import { users } from './accounts.ts'
import { moment, transactionId } from './columns.ts'

export const deliveries = pgTable(
  'deliveries',
  {
    id: uuid('id').primaryKey(),
    status: text('status').$type<Status>().notNull(),
    itemDescription: text('item_description').notNull(),
    note: text('note'),
    size: text('size').$type<ItemSize>(),
    fragile: boolean('fragile').notNull().default(false),
    pickupZone: text('pickup_zone').notNull(),
    dropoffZone: text('dropoff_zone').notNull(),
    pesewas: integer('pesewas').notNull(),
    itemPhoto: text('item_photo'),
    proofOfDelivery: text('proof_of_delivery'),
    recipientName: text('recipient_name').notNull(),
    recipientPhone: text('recipient_phone').notNull(),
    deliveryCode: text('delivery_code').notNull(),
    /** Wrong tries of this code, and how often there was a new one (R135). */
    wrongCodes: integer('wrong_codes').notNull().default(0),
    newCodes: integer('new_codes').notNull().default(0),
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
    /** The driver it was last taken from (R5). */
    releasedFrom: uuid('released_from').references(() => users.id),
    pickupPlace: jsonb('pickup_place').$type<Place>(),
    dropoffPlace: jsonb('dropoff_place').$type<Place>(),
    /** SHA-256 of the hand-over's secret and of the recipient's token, 64 hex digits (R110, R111). */
    handoverHash: text('handover_hash'),
    trackHash: text('track_hash'),
    incidents: jsonb('incidents').$type<Incident[]>().notNull().default([]),
    /** From when on the driver can return it (R103). */
    returnFrom: moment('return_from'),
    returning: jsonb('returning').$type<Delivery['returning']>(),
    returnCode: text('return_code'),
    /** When the server approves it, or asks an admin about its return (R106). */
    dueAt: moment('due_at'),
    /** An issue about it is open (R108). */
    disputed: boolean('disputed').notNull().default(false),
    outcome: text('outcome'),
    /** Pesewas the driver got of a returned or split delivery. */
    driverShare: integer('driver_share'),
    /** Pesewas (R126). */
    tip: integer('tip').notNull().default(0),
    decision: jsonb('decision').$type<Decision>(),
    ratings: jsonb('ratings').$type<Ratings>().notNull().default({}),
    /** `held` or `done`: the money of a cancelled job. */
    refund: text('refund'),
    /** When held money goes back at the latest. */
    refundDueAt: moment('refund_due_at'),
    /** Its sender says that the pick-up did not happen. */
    contested: boolean('contested').notNull().default(false),
    /** Its sender is suspended (R199). */
    withheld: boolean('withheld').notNull().default(false),
    /** The mode that it began with; null in rows of earlier versions (R171). */
    payments: text('payments').$type<PaymentMode>(),
    paidBy: text('paid_by'),
    /** The sender's money at the provider, and the driver's (R172). */
    payment: jsonb('payment').$type<Delivery['payment']>(),
    payout: jsonb('payout').$type<Delivery['payout']>(),
    feePercent: doublePrecision('fee_percent'),
  },
  (t) => [
    uniqueIndex('deliveries_one_active_job')
      .on(t.driverId)
      .where(sql`status in ('Accepted', 'Picked Up')`),
    uniqueIndex('deliveries_one_active_delivery')
      .on(t.senderId)
      .where(sql`status in ('Pending', 'Accepted', 'Picked Up', 'Delivered') and not contested`),
    // Every change of a delivery updates these indexes, so they leave out rows that are never looked up.
    index('deliveries_sender').on(t.senderId, t.createdAt, t.id).where(isNotNull(t.senderId)),
    index('deliveries_driver').on(t.driverId, t.createdAt, t.id).where(isNotNull(t.driverId)),
    index('deliveries_status').on(t.status, t.createdAt, t.id),
    index('deliveries_by_date').on(t.createdAt, t.id),
    index('deliveries_route').on(t.status, t.pickupZone, t.dropoffZone, t.createdAt, t.id),
    index('deliveries_changed').on(t.changed),
    index('deliveries_sender_changed').on(t.senderId, t.changed).where(isNotNull(t.senderId)),
    index('deliveries_driver_changed').on(t.driverId, t.changed).where(isNotNull(t.driverId)),
    index('deliveries_due').on(t.dueAt).where(sql`due_at is not null and not disputed`),
    index('deliveries_refund_due').on(t.refundDueAt).where(isNotNull(t.refundDueAt)),
    index('deliveries_guest_phone').on(t.senderPhone, t.createdAt).where(sql`is_guest`),
    index('deliveries_released_changed')
      .on(t.releasedFrom, t.changed)
      .where(sql`released_from is not null`),
  ],
)

/**
 * What an admin searches and sorts deliveries by and what never changes: a trigger writes it once, and no
 * change of a delivery pays for these indexes. There is one row for each delivery.
 */
export const deliverySearch = pgTable(
  'delivery_search',
  {
    id: uuid('id').primaryKey(),
    pesewas: integer('pesewas').notNull(),
    /** Item, names, phone, zones and the ID, folded. */
    text: text('text').notNull(),
  },
  (t) => [index('delivery_search_by_offer').on(t.pesewas, t.id)],
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

/** Photos of the built-in provider, by file name. */
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

const choice = () => ({
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  /** The name as it is compared (`sameName`). */
  nameKey: text('name_key').notNull(),
  at: moment('at').notNull(),
  place: integer('place').notNull().generatedByDefaultAsIdentity(),
})
export const zones = pgTable(
  'zones',
  {
    ...choice(),
    /** Its centre, in degrees: both or neither (R165). */
    lat: doublePrecision('lat'),
    lng: doublePrecision('lng'),
    /** Names that it had, the newest first (R206). */
    former: jsonb('former').$type<string[]>(),
  },
  (t) => [
    uniqueIndex('zones_name').on(t.nameKey),
    check('zones_centre', sql`(lat is null) = (lng is null)`),
  ],
)
/** A road between two zones, which goes both ways: one row for a pair, the smaller ID first (R165). */
export const zoneRoads = pgTable(
  'zone_roads',
  {
    zoneA: uuid('zone_a')
      .notNull()
      .references(() => zones.id, { onDelete: 'cascade' }),
    zoneB: uuid('zone_b')
      .notNull()
      .references(() => zones.id, { onDelete: 'cascade' }),
    km: doublePrecision('km').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.zoneA, t.zoneB] }),
    index('zone_roads_zone_b').on(t.zoneB),
    check('zone_roads_pair', sql`zone_a < zone_b and km > 0`),
  ],
)
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
    /** The account whose side it was at that time; missing for a guest and in rows of earlier versions. */
    reportedBy: uuid('reported_by').references(() => users.id),
    reporterName: text('reporter_name'),
  },
  (t) => [
    index('disputes_by_date').on(t.createdAt, t.id),
    index('disputes_by_status').on(t.status, t.createdAt, t.id),
    index('disputes_delivery').on(t.deliveryId),
    check('disputes_status_known', sql`status in ('open', 'resolved')`),
  ],
)

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')

/** One movement of money for one delivery. A deferred trigger checks that its entries sum to zero (R40). */
export const transfers = pgTable(
  'transfers',
  {
    id: uuid('id').primaryKey(),
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => deliveries.id),
    kind: text('kind').$type<TransferKind>().notNull(),
    at: moment('at').notNull(),
  },
  (t) => [
    uniqueIndex('transfers_once').on(
      t.deliveryId,
      t.kind,
      sql.raw(`(case when kind in (${quoted(repeatableKinds)}) then id else delivery_id end)`),
    ),
    index('transfers_by_date').on(t.kind, t.at),
    check('transfers_kind_known', sql.raw(`kind in (${quoted(transferKinds)})`)),
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
    check(
      'entries_account_known',
      sql`account ~ '^(escrow|promised|owed|driver|sender|guest):|^fees$'`,
    ),
    check('entries_move_money', sql`pesewas <> 0`),
  ],
)

/** A request whose money has not arrived (R173, R232). */
export const isUnpaid = sql`(${deliveries.status} = 'Pending' and coalesce(${deliveries.payment} ->> 'status', '') in ('waiting', 'failed'))`

/**
 * What a Pending delivery is on offer with: its money is held, or its sender pays the driver (R173), who is not suspended
 * (R199). In parts whose frequency PostgreSQL can estimate.
 */
export const isOffered = sql`((${deliveries.payment} is null or ${deliveries.payment} ->> 'status' = 'held') and not ${deliveries.withheld})`
