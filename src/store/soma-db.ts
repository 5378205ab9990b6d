import type { EntityTable, Table } from 'dexie'
import type {
  Activity,
  AuditEntry,
  Device,
  Invitation,
  Money,
  MoneyDay,
  SessionInfo,
  Stats,
  Trends,
} from '#contract/responses.ts'
import type { Choice } from '#domain/choices.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { Dispute } from '#domain/deliveries/dispute.ts'
import type { GuestRecord } from '#domain/deliveries/guest.ts'
import type { SavedView } from '#domain/office/saved-view.ts'
import type { OfficeSettings } from '#domain/office/settings.ts'
import type { Payout } from '#domain/payment-fields.ts'
import type { DriverApplication } from '#domain/users/driver.ts'
import type { User } from '#domain/users/user.ts'
import type { Zone } from '#domain/zones/zone.ts'
import type { ReconnectTimers } from '#sync/database/connection/reconnect.ts'
import { EngineDb, type Stores } from '#sync/database/engine-db.ts'
import type { MonotonicTime } from '#sync/time.ts'
import type { Offered } from './deliveries/offered-route.ts'
import type { Entry } from './entries/operations.ts'
import { upgradeRows } from './maintenance/schema-upgrade.ts'
import type {
  DeliveryRow,
  Draft,
  HandoverKey,
  Photo,
  RecentPlace,
  Session,
  StoredPage,
  WayGuide,
} from './rows.ts'

// What this product keeps of the device beside what the engine does.
/** `seen`: its driver was told. `job`: without names and numbers. */
export type TakenJob = { at: string; job: Delivery; seen?: true }
/** With its place in the office's order (R207); missing in rows of earlier versions. */
export type Placed<C> = C & { place?: number }

declare module '#sync/database/device/state.ts' {
  interface DeviceState {
    /** The response of `GET /config`. */
    config: unknown
    /** What an admin of this phone has pulled of the office's settings (R204). */
    officeSettings: OfficeSettings
    /** Cached photos of somebody who has logged out, not yet deleted. */
    imagesToDrop: true
  }
  interface SubjectState {
    /** Subject: account and delivery. A job that its driver has no more, and did not give back (S86). */
    taken: TakenJob
    /** Subject: account. The route that a driver chose last; a zone left out means any. */
    route: Offered
    /** Subject: account. What ways usually cost (R168), by the query that asks for it, the newest first. */
    wayGuides: ({ query: string } & WayGuide)[]
    /** Subject: account. Who works at the office (R209). */
    colleagues: Colleagues
    /** Subject: account. Lists of the office as somebody saved them (R229). */
    views: SavedView[]
    /**
     * Subject: account. Whether this phone is told with the app closed; `reported`: the browser's addresses that the
     * server knows, each by the last signs of the token it was told with. `problem`: why it is not told although it
     * is wanted: the browser could not subscribe, or the server does not send to it.
     */
    notifications: {
      choice?: 'on' | 'off' | 'dismissed'
      problem?: 'browser' | 'refused'
      reported?: Record<string, string>
    }
  }
}

/** `serverAt`: when the response to an act of the office last changed it, in monotonic time (S78). */
export type Owned<T> = T & { account: string; serverAt?: MonotonicTime }

/** What the response of `GET /admin/colleagues` says (R209). */
export type Colleagues = { colleagues: User[]; invitations: Invitation[] }

/** What the response of `GET /admin/money` says (R184). */
export type MoneyFigures = { money: Money; cameIn?: number; days?: MoneyDay[] }

/** The version of the schema; each change of a table raises it, and each of `upgradeRows`. */
const version = 9

/** The product's tables. */
const stores: Stores = {
  deliveries:
    '[account+ID], [account+sentAt], [account+jobAt], [account+openAt], [account+adminAt], [account+active], ' +
    '[account+unseen]',
  photos: 'id, account',
  drafts: '[account+kind]',
  guests: 'id',
  zones: 'ID',
  items: 'ID',
  users: '[account+ID]',
  drivers: '[account+ID], [account+Status]',
  disputes: '[account+ID], [account+DeliveryID]',
  activities: '[account+ID], [account+CreatedAt]',
  stats: 'account',
  pages: '[account+list+query], [account+at]',
  trends: 'account',
  ownSessions: '[account+id]',
  audit: '[account+ID]',
  devices: '[account+code]',
  money: 'account',
  payouts: '[account+ID]',
  handovers: '[account+ID]',
  places: '[account+key], [account+usedAt]',
}

/** Everything this device knows and means to say. */
export class SomaDb extends EngineDb {
  // The same tables, known to hold this product's entries and users.
  declare outbox: EntityTable<Entry, 'seq'> & EngineDb['outbox']
  declare sessions: EntityTable<Session, 'key'> & EngineDb['sessions']
  declare deliveries: Table<DeliveryRow, [string, string]>
  declare photos: EntityTable<Photo, 'id'>
  declare drafts: Table<Draft, [string, string]>
  declare guests: EntityTable<GuestRecord, 'id'>
  declare zones: EntityTable<Placed<Zone>, 'ID'>
  declare items: EntityTable<Placed<Choice>, 'ID'>
  declare users: Table<Owned<User>, [string, string]>
  declare drivers: Table<Owned<DriverApplication>, [string, string]>
  declare disputes: Table<Owned<Dispute>, [string, string]>
  declare activities: Table<Owned<Activity>, [string, string]>
  declare stats: Table<Owned<Stats>, string>
  declare trends: Table<Owned<Trends>, string>
  /** Where this person is logged in (R12). */
  declare ownSessions: Table<Owned<SessionInfo>, [string, string]>
  declare audit: Table<Owned<AuditEntry>, [string, string]>
  /** Phones that an admin looked up by their support code (R92). */
  declare devices: Table<Owned<Device>, [string, string]>
  /** Where all money is, and what admins pay out (R183, R184). */
  declare money: Table<Owned<MoneyFigures>, string>
  declare payouts: Table<Owned<Payout>, [string, string]>
  /** The secrets that prove hand-overs of requests made on this phone (R110). */
  declare handovers: Table<HandoverKey, [string, string]>
  /** Places of earlier requests (R112). */
  declare places: Table<RecentPlace, [string, string]>
  declare pages: Table<StoredPage, [string, string, string]>

  constructor(name = 'soma', timers?: ReconnectTimers) {
    super(name, version, stores, timers)
    this.version(version).upgrade(upgradeRows)
  }
}
