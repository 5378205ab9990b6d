import type { Limits } from '../limits/rate-limits.ts'
import type { Repo } from './repo.ts'
import type { Secrets } from './secrets.ts'

/** What the server needs of the world around it; each place it runs in brings its own. */
export type Ports = {
  repo: Repo
  secrets: Secrets
  passwords: Passwords
  sms: Sms
  /** Missing when another provider keeps the photos. */
  images?: ImageStore
  uploads?: Uploads
  /** Milliseconds since 1970. */
  clock: () => number
  log: Log
  metrics?: Metrics
  /** The built app, for paths that are not the API's. */
  pages?: (request: Request) => Promise<Response | undefined>
  options: Options
}

export type Options = {
  imageUploadUrl: string
  imageUploadPreset: string
  /** What the URL of every photo must start with. */
  imageHost: string
  /** What is uploaded with it is private. */
  idUploadPreset: string
  idempotencyDays: number
  limits: Limits
  /** SMS the whole service may send in a day. */
  smsDaily: number
  /** Bearer token for `/metrics`; without one only loopback may read it. */
  metricsToken?: string
}

/** Slow on purpose; never inside a transaction. Throws `unavailable` when too many wait. */
export type Passwords = {
  hash(password: string): Promise<string>
  /** A missing hash costs as much time as a wrong password. */
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

/** Photos by name. Private ones are kept apart; the `photos` table says which are private. */
export type ImageStore = {
  /** Kept for good once this resolves. The same bytes under the same name are kept once. */
  put(name: string, bytes: Uint8Array, isPrivate?: boolean): Promise<void>
  /** A private photo whose move was cut off is found where it was. */
  open(name: string, isPrivate?: boolean): Promise<StoredImage | undefined>
  /** Moves a public photo to the private ones. Nothing happens when there is none. */
  hide(name: string): Promise<void>
  /** Copies a public photo to a private one of another name. False when there is none. */
  copyToPrivate(from: string, to: string): Promise<boolean>
  remove(name: string): Promise<void>
  /** The demo's holds SVG drawings of its own too. From strangers one may carry a script: none is taken in. */
  holdsDrawings?: true
  /** Every photo, some at a time. */
  list(): AsyncIterable<{ name: string; isPrivate: boolean; changedAt: number }[]>
  /** Bytes that are free where photos are kept. */
  freeBytes(): Promise<number>
}

/** One form with a photo, as it was sent. */
export type Upload = {
  preset?: string
  file?: {
    /** In bytes. */
    size: number
    /** Decodes it and writes it anew. Refusals: not-an-image, unavailable. */
    process(): Promise<{ bytes: Uint8Array; extension: string }>
  }
  /** Frees what the upload holds; called once it is answered. */
  discard(): Promise<void>
}

/** Takes a form off a request whose content type is `multipart/form-data`. */
export type Uploads = {
  /** Refusals: malformed, too-large (the file has more than `mostBytes`), unavailable (sent too slowly). */
  read(request: Request, mostBytes: number): Promise<Upload>
}

/** Never given a token, a code or a password. */
export type Log = {
  info(about: object, message: string): void
  warn(about: object, message: string): void
  error(about: object, message: string): void
}

export type Metrics = {
  answered(op: string, status: number, seconds: number): void
  streams(open: number): void
  text(): Promise<{ type: string; body: string }>
}
