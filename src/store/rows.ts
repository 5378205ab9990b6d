import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { SendDraft } from '#domain/deliveries/draft.ts'
import type { Place } from '#domain/deliveries/places/place.ts'
import type { PersonFacts } from '#domain/users/standing/person-facts.ts'
import type { DriverStatus, User } from '#domain/users/user.ts'
import type { PriceGuide, WayDrivers } from '#domain/way-guide.ts'
import type { OperationName } from '#operations/index.ts'
import type { Session as EngineSession } from '#sync/database/engine-db.ts'
import type { EntryState } from '#sync/database/entry.ts'
import type { MonotonicTime } from '#sync/time.ts'
import type { Entry } from './entries/operations.ts'

/** The login of this device. */
export type Session = EngineSession<User> & {
  /** The driver status that the person was told last, where another one came since (R100). */
  toldStatus?: DriverStatus
  /** Why the driver's application was rejected (R200). */
  driverReason?: string
  /** The name and e-mail before they were changed on this phone. `at`: milliseconds since 1970. */
  replaced?: { name?: string; email?: string; at: number }
}

/** A queued mutation as its delivery's card shows it. */
export type PendingOperation = {
  entry: string
  op: OperationName
  /** Never `sending`: on its way is still waiting, as far as the row goes. */
  state: Exclude<EntryState, 'sending'>
  error?: Entry['error']
  /** The person takes it back (S56, S73). */
  withdrawal?: Entry['withdrawal']
  /** A hand-over whose secret this phone has compared with the delivery's hash (R110). */
  proved?: true
}

/**
 * What the screen shows of one delivery: the server's row with the pending intents folded in.
 * `server` is stored only while operations are pending: a refusal falls back to it.
 */
export type DeliveryRow = {
  /** Which version of the app's rows this is; rows of others are read with care (`sound.ts`). */
  v?: number
  account: string
  ID: string
  view: Delivery
  server?: Delivery
  /** When a response last brought the server's row (S20). */
  serverAt?: MonotonicTime
  /** False until the server has acknowledged that this delivery exists. */
  known: boolean
  /** Intents not yet settled, and refused ones the person has not dealt with. */
  marks: PendingOperation[]
  /** Local photo shown until the hosted one is known. */
  photo?: string
  /** The list it came from no longer has it; it stays only as long as a mark needs it. */
  gone?: boolean
  /** 1 while its person was not told of what another party did (R100); indexed, so absent when told. */
  unseen?: 1
  /**
   * A job or delivery under way, as foreseen or as the server has it: until the server has confirmed its end
   * it is not over. `unpaid`: a job that waits for its sender's approval. `held`: one whose cancel this phone has to
   * confirm (S63). Indexed.
   */
  active?: 'job' | 'delivery' | 'unpaid' | 'held'
  /*
   * In which lists it stands, each with the time it is sorted by; absent where it does not belong,
   * which keeps it out of that index. From the row alone: `listsOf`.
   */
  sentAt?: string
  jobAt?: string
  openAt?: string
  adminAt?: string
}

/** A photo's bytes; `url` once the image provider has it. */
export type Photo = {
  id: string
  account: string
  bytes: ArrayBuffer
  type: string
  keptAt: number
  url?: string
  /** The bytes are this app's own redraw: nothing of the original file, such as a place, is in them. */
  redrawn?: true
}

/**
 * The secret of a request that was made on this phone, in base64url (R110). No server has it. `isResent`: a restored
 * server had lost the request, and a link or code that was shared before is of no use any more (S54).
 */
export type HandoverKey = { account: string; ID: string; secret: string; isResent?: true }

/** A place of an earlier request of this phone (R112). `usedAt`: milliseconds since 1970. */
export type RecentPlace = {
  account: string
  key: string
  zone: string
  place: Place
  usedAt: number
}

/** What a way usually costs, and how many drivers go it, as far as the server knows (R168, R170). */
export type WayGuide = { guide?: PriceGuide | null; drivers?: WayDrivers }

export type Draft = { account: string; kind: 'send'; value: SendDraft }

/** One page of an admin's list, as it was last pulled. */
export type StoredPage = {
  account: string
  /**
   * A `PagedList`; `adminUser`: the deliveries of one person, whose ID is the query; or `adminSearch`: rows of several
   * kinds.
   */
  list: string
  /** As `queryText` writes it. */
  query: string
  ids: string[]
  /** How many rows the whole list has on the server. */
  total: number
  /** The list has more rows than `total`, which nobody counts. */
  atLeast?: boolean
  next?: string
  /** How many rows of each status the list has. */
  counts?: Record<string, number>
  /** Of `adminUser`: what else admins read of the person. */
  about?: PersonFacts
  /** Milliseconds since 1970; the oldest are forgotten first. */
  at: number
}
