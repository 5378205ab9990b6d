import type { EndingTerms } from '#domain/deliveries/endings/incidents.ts'
import type { PaymentMode } from '#domain/deliveries/payment.ts'
import type { Difficulty, Limits } from './limits.ts'
import type { PaymentProvider } from './payment-provider.ts'
import type { StorageProblem } from './photos/storage-problem.ts'
import type { Push } from './push-port.ts'
import type { Repo } from './repo.ts'
import type { Secrets } from './secrets.ts'

/** What the server needs from the place it runs in: Node and the demo's page each bring their own. */
export type Ports = {
  repo: Repo
  secrets: Secrets
  passwords: Passwords
  sms: Sms
  /** Missing where senders pay drivers themselves (R171). */
  provider?: PaymentProvider
  /** Missing in the demo, which sends no notifications. */
  push?: Push
  /** Missing when another provider keeps the photos. */
  images?: ImageStore
  uploads?: Uploads
  /** Milliseconds since 1970. */
  clock: () => number
  log: Log
  metrics?: Metrics
  /** Missing where no traces are recorded. */
  tracing?: Tracing
  /** Free bytes on the disk of the embedded database. Missing where the database runs elsewhere. */
  databaseFreeBytes?: () => Promise<number>
  /** The built app, for paths that are not the API's. */
  pages?: (request: Request) => Promise<Response | undefined>
  options: Options
}

export type Options = {
  /** The address of the app, without a slash at its end. */
  publicOrigin: string
  imageUploadUrl: string
  imageUploadPreset: string
  /** What the URL of every photo must start with. */
  imageHost: string
  /** Uploads with this preset are private. */
  idUploadPreset: string
  idempotencyDays: number
  limits: Limits
  /** The smallest offer, in cedis (R21). */
  minOffer: number
  /** How senders pay drivers from now on (R171), and the operator's part of a driver's money, in per cent (R174). */
  payments: { mode: PaymentMode; feePercent: number }
  /** The number of ten digits that people call for help, and the address of the terms of service (R162). */
  help?: { supportPhone?: string; termsUrl?: string }
  /** The challenge beyond an address's limit (R143). Missing: such calls are refused. */
  challenge?: Difficulty
  /** SMS the whole service may send in a day. */
  smsDaily: number
  /** Bearer token for `/metrics`; without one only loopback may read it. */
  metricsToken?: string
  /** The oldest build of our app that is served (R90). */
  minClientVersion?: number
  /** The number of this build's newest migration. Missing where the database is not migrated: in the demo. */
  migration?: number
  /** How deliveries end otherwise than planned (R103, R105, R106). */
  endings: EndingTerms
}

/** Hashing is slow by design: never call it inside a transaction. Refusal: unavailable, when too many wait. */
export type Passwords = {
  hash(password: string): Promise<string>
  /** A missing hash takes as long as a wrong password (R56). */
  verify(hash: string | undefined, password: string): Promise<boolean>
}

/** `to` as ten digits. */
export type SmsMessage = { to: string; text: string }
export type Sms = { send(text: SmsMessage): Promise<void> }

export type StoredImage = {
  /** In bytes. */
  size: number
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
}

/**
 * Photos by name. Private ones are kept apart; the `photos` table says which are private. A store on other
 * machines throws `StorageUnavailable` when it does not do what it is asked.
 */
export type ImageStore = {
  /** The photo is on disk, or wherever it is stored, once this resolves. The same bytes under the same name are stored once. */
  put(name: string, bytes: Uint8Array, isPrivate?: boolean): Promise<void>
  /** A private photo whose move was interrupted is found at its old place. */
  open(name: string, isPrivate?: boolean): Promise<StoredImage | undefined>
  /**
   * A small WebP of a public photo, made when it is first asked for (R122). Missing where none are made.
   * `photo`: the photo's bytes, where the caller holds them.
   */
  thumbnail?(name: string, photo?: Uint8Array): Promise<StoredImage | undefined>
  /** Moves a public photo to the private ones. Nothing happens when there is none. */
  hide(name: string): Promise<void>
  /** Copies a public photo to a private one of another name. False when there is none. */
  copyToPrivate(from: string, to: string): Promise<boolean>
  remove(name: string): Promise<void>
  /** The demo's store also holds its own SVG drawings. An upload is never one, because it may carry a script. */
  holdsDrawings?: true
  /** Every photo, in batches. */
  list(): AsyncIterable<{ name: string; isPrivate: boolean; changedAt: number }[]>
  /** Free bytes on the disk of the photos, or of the uploads on their way to another machine. */
  freeBytes(): Promise<number>
  /** What keeps photos from being stored just now. Missing where only a full disk can. */
  problem?(): Promise<StorageProblem | undefined>
}

/** One uploaded form with a photo. */
export type Upload = {
  preset?: string
  file?: {
    /** In bytes. */
    size: number
    /** Decodes the photo and encodes it again (R66). Refusals: not-an-image, unavailable. */
    process(): Promise<{ bytes: Uint8Array; extension: string }>
  }
  /** Deletes what the upload holds. Called once the request is answered. */
  discard(): Promise<void>
}

/** Reads the form of a request whose content type is `multipart/form-data`. */
export type Uploads = {
  /** Refusals: malformed, too-large (the file has more than `mostBytes`), unavailable (sent too slowly). */
  read(request: Request, mostBytes: number): Promise<Upload>
}

/** Never pass it a token, a code or a password. */
export type Log = {
  info(about: object, message: string): void
  warn(about: object, message: string): void
  error(about: object, message: string): void
}

/** The outcome of a call, without data of its caller. */
export type CallOutcome = {
  status: number
  /** Why it was refused. */
  reason?: string
  /** The name of the limit that refused it. */
  limit?: string
}

export type Metrics = {
  /** `op` is a name of the endpoint table, or of a route outside it: so the number of metric series is bounded. */
  answered(op: string, outcome: CallOutcome, seconds: number): void
  streams(open: number): void
  uploads(underWay: number): void
  batch(operations: number): void
  /** The number of unsent entries that a phone has reported (R92). */
  queueReported(length: number): void
  /** The time of the newest daily backup in milliseconds; 0 when there is none. */
  backups(newestAt: number): void
  /** What is read from the database and the disk just before `text`. */
  state(state: ServiceState): void
  text(): Promise<{ type: string; body: string }>
}

export type ServiceState = {
  /** Whether each check of `/readyz` passes. */
  checks: Record<string, boolean>
  /** SMS sent on this day (UTC) by all processes; missing when the database did not say. */
  smsToday?: number
  /** Of the disk of the embedded database. */
  freeBytes?: number
}

/** One call, named as the metrics name it. */
export type TracedCall = {
  op: string
  method: string
  /** The route as the server declares it, with `:id` in place of an ID. */
  route: string
  /** The W3C trace context of a trusted proxy. */
  traceparent?: string
}

export type Span = {
  /** Runs the work; what it begins is part of this span. */
  run<T>(work: () => T): T
  end(outcome: CallOutcome): void
}

export type Tracing = {
  /** Begins the span of a call. Inside another span it is a part of that one. */
  begin(call: TracedCall): Span
}
