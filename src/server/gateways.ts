import type { Limits } from './limits.ts'
import type { Repo } from './repo.ts'
import type { Secrets } from './secrets.ts'

/** What the server needs of the world around it; each place it runs in brings its own. */
export type Gateways = {
  repo: Repo
  secrets: Secrets
  passwords: Passwords
  sms: Sms
  /** Missing when another provider keeps the photos. */
  images?: ImageStore
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
export type Text = { to: string; text: string }
export type Sms = { send(text: Text): Promise<void> }

export type ImageStore = {
  /** Kept for good once this resolves. The same bytes under the same name are kept once. */
  put(name: string, bytes: Uint8Array): Promise<void>
  get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>
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
