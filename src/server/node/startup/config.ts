import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { defaultMinOffer } from '#domain/money.ts'
import { minute, product } from '#domain/product.ts'
import { defaultLimits, type LimitName } from '../../ports/limits.ts'
import { StartupError } from '../../startup-error.ts'
import { objectStorageConfig } from './object-storage-config.ts'

const url = (name: string, schemes: string[]) =>
  z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol),
          `${name} must be a ${schemes.map((scheme) => `${scheme}//`).join(' or ')} address.`,
        ),
      ),
  )
const web = ['http:', 'https:']
const database = ['postgres:', 'postgresql:']

const whole = (name: string, least: number, most: number) =>
  z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most,
          `${name} must be a whole number from ${least} to ${most}.`,
        ),
      ),
  )

const matching = (name: string, pattern: RegExp, form: string) =>
  z.optional(z.string().check(z.regex(pattern, `${name} must be ${form}.`)))

const oneOf = <const T extends string[]>(name: string, values: T) =>
  z.optional(z.enum(values, `${name} must be one of ${values.join(', ')}.`))

const listIn = (text: string) =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/** Whether this is an address, or an address with the number of its network bits. */
function isCidr(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** Whether this is an address with nothing behind its port. */
const isOrigin = (text: string) =>
  URL.canParse(text) && /^https?:\/\//.test(text) && new URL(text).origin === text

/** The tries of `LIMITS`: a JSON object of name → whole number. Throws `StartupError`. */
function readLimits(text: string | undefined): Partial<Record<LimitName, number>> {
  if (text === undefined) return {}
  const names = Object.keys(defaultLimits)
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    read = undefined
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new StartupError('LIMITS must be a JSON object of name and tries, such as {"login": 10}.')
  for (const [name, tries] of Object.entries(read)) {
    if (!names.includes(name))
      throw new StartupError(`LIMITS knows no ${name}; its names are ${names.join(', ')}.`)
    if (!Number.isInteger(tries) || tries < 1 || tries > 1_000_000)
      throw new StartupError(`LIMITS: ${name} must be a whole number from 1 to 1000000.`)
  }
  return read
}

/** A number that may have decimals. */
const decimal = (name: string, least: number, most: number) =>
  z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) >= least && Number(text) <= most,
          `${name} must be a number from ${least} to ${most}.`,
        ),
      ),
  )

/** The environment variables and their forms. All may be missing. */
const Environment = z.object({
  PORT: whole('PORT', 1, 65_535),
  HOST: z.optional(z.string()),
  PUBLIC_ORIGIN: z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => /^https?:\/\/[^/?#]+\/*$/i.test(text) && URL.canParse(text),
          'PUBLIC_ORIGIN must be an http:// or https:// address without a path.',
        ),
      ),
  ),
  DATA_DIR: z.optional(z.string()),
  BACKUP_DIR: z.optional(z.string()),
  DATABASE_URL: url('DATABASE_URL', database),
  DATABASE_URL_DIRECT: url('DATABASE_URL_DIRECT', database),
  DATABASE_URL_REPLICA: url('DATABASE_URL_REPLICA', database),
  ADMIN_EMAIL: z.optional(
    z.string().check(z.refine((text) => /^\S+@\S+$/.test(text), 'ADMIN_EMAIL must be an e-mail.')),
  ),
  ADMIN_PASSWORD: z.optional(
    z
      .string()
      .check(
        z.refine(
          ({ length }) => length >= 8 && length <= 200,
          'ADMIN_PASSWORD must have 8 to 200 characters.',
        ),
      ),
  ),
  SMS_PROVIDER: oneOf('SMS_PROVIDER', ['console', 'arkesel', 'hubtel']),
  SMS_URL: url('SMS_URL', web),
  SMS_API_KEY: z.optional(z.string()),
  SMS_SENDER: z.optional(z.string()),
  IMAGE_UPLOAD_URL: url('IMAGE_UPLOAD_URL', web),
  IMAGE_UPLOAD_PRESET: z.optional(z.string()),
  IMAGE_HOST: url('IMAGE_HOST', web),
  PHOTOS: oneOf('PHOTOS', ['disk', 's3']),
  S3_ENDPOINT: matching(
    'S3_ENDPOINT',
    /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/,
    'a http:// or https:// address without a user, query or fragment',
  ),
  S3_BUCKET: matching(
    'S3_BUCKET',
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'the name of a bucket: 3 to 63 small letters, digits, dots and hyphens',
  ),
  S3_ACCESS_KEY: matching('S3_ACCESS_KEY', /^[\x21-\x7e]+$/, 'characters without spaces'),
  S3_SECRET_KEY: matching('S3_SECRET_KEY', /^[\x21-\x7e]+$/, 'characters without spaces'),
  S3_REGION: matching(
    'S3_REGION',
    /^[a-z0-9-]{1,40}$/,
    'the name of a region, such as us-east-1 or auto',
  ),
  IDEMPOTENCY_DAYS: whole('IDEMPOTENCY_DAYS', 1, 3_650),
  MIN_CLIENT_VERSION: whole('MIN_CLIENT_VERSION', 1, 1_000_000_000),
  SECRET_KEY: matching('SECRET_KEY', /^[0-9a-f]{64}$/i, '32 bytes in hex: 64 hex digits'),
  ADMIN_PHONE: matching(
    'ADMIN_PHONE',
    /^0[2-5]\d{8}$/,
    'a phone number of Ghana: ten digits that begin with 02, 03, 04 or 05',
  ),
  SUPPORT_PHONE: matching(
    'SUPPORT_PHONE',
    /^0\d{9}$/,
    'a phone number: ten digits that begin with 0',
  ),
  TERMS_URL: url('TERMS_URL', web),
  TRUST_PROXY: z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => listIn(text).every(isCidr),
          'TRUST_PROXY must be a comma-separated list of addresses or CIDR ranges, such as 127.0.0.1/32,10.0.0.0/8.',
        ),
      ),
  ),
  METRICS_TOKEN: matching('METRICS_TOKEN', /^[\x21-\x7e]+$/, 'characters without spaces'),
  DEMO: oneOf('DEMO', ['on', 'off']),
  SMS_DAILY: whole('SMS_DAILY', 0, 10_000_000),
  LIMITS: z.optional(z.string()),
  CHALLENGE: oneOf('CHALLENGE', ['on', 'off']),
  AUTO_APPROVE_HOURS: decimal('AUTO_APPROVE_HOURS', 0, 8_760),
  RETURN_SHARE: decimal('RETURN_SHARE', 0, 1),
  WAIT_MINUTES: decimal('WAIT_MINUTES', 0, 1_440),
  MIN_OFFER: decimal('MIN_OFFER', 0.01, 100_000),
  PAYMENTS: oneOf('PAYMENTS', ['direct', 'paystack']),
  PAYSTACK_SECRET_KEY: matching(
    'PAYSTACK_SECRET_KEY',
    /^[\x21-\x7e]+$/,
    'characters without spaces',
  ),
  PAYSTACK_URL: url('PAYSTACK_URL', web),
  FEE_PERCENT: decimal('FEE_PERCENT', 0, 30),
  CANCEL_HOLD_HOURS: decimal('CANCEL_HOLD_HOURS', 0, 8_760),
  PUSH_SERVICES: z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => listIn(text).every(isOrigin),
          'PUSH_SERVICES must be a comma-separated list of origins, such as https://push.example.com.',
        ),
      ),
  ),
  DRAIN_SECONDS: whole('DRAIN_SECONDS', 0, 300),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('OTEL_EXPORTER_OTLP_ENDPOINT', web),
  OTEL_SERVICE_NAME: z.optional(z.string()),
  OTEL_TRACES_SAMPLER_ARG: decimal('OTEL_TRACES_SAMPLER_ARG', 0, 1),
  LOG_LEVEL: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
})

/** The names of all settings. */
export const settingNames = Object.keys(Environment.shape)

export type Config = ReturnType<typeof readConfig>

/**
 * The configuration from environment variables, with a default for each that is missing or empty.
 * Throws `StartupError` with one line about the first value that is wrong.
 */
export function readConfig(environment: Record<string, string | undefined>) {
  const env = parseEnvironment(environment)
  const port = Number(env.PORT ?? 8080)
  const publicOrigin = withoutSlash(env.PUBLIC_ORIGIN ?? `http://localhost:${port}`)
  return {
    port,
    host: env.HOST ?? '127.0.0.1',
    publicOrigin,
    dataDir: resolve(env.DATA_DIR ?? 'data'),
    /** Where the running server writes a backup a day. Without it there is none. */
    backupDir: env.BACKUP_DIR ? resolve(env.BACKUP_DIR) : undefined,
    databaseUrl: env.DATABASE_URL,
    /** PostgreSQL itself, when `databaseUrl` leads through a pooler; missing when it does not. */
    databaseUrlDirect: env.DATABASE_URL_DIRECT,
    databaseUrlReplica: env.DATABASE_URL_REPLICA,
    admin: {
      email: env.ADMIN_EMAIL ?? 'admin@soma.local',
      password: env.ADMIN_PASSWORD,
      phone: env.ADMIN_PHONE,
    },
    /** 64 hex digits. Without it, a generated key is kept in a file of `dataDir`. */
    secretKey: env.SECRET_KEY?.toLowerCase(),
    /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` counts. */
    trustProxy: listIn(env.TRUST_PROXY ?? ''),
    metricsToken: env.METRICS_TOKEN,
    servesDemo: env.DEMO !== 'off',
    smsDaily: Number(env.SMS_DAILY ?? 2_000),
    limits: readLimits(env.LIMITS),
    asksForProof: env.CHALLENGE !== 'off',
    endings: {
      autoApprove: Number(env.AUTO_APPROVE_HOURS ?? 48) * 60 * minute,
      returnShare: Number(env.RETURN_SHARE ?? 0.5),
      wait: Number(env.WAIT_MINUTES ?? 10) * minute,
      cancelHold: Number(env.CANCEL_HOLD_HOURS ?? 24) * 60 * minute,
    },
    minOffer: Number(env.MIN_OFFER ?? defaultMinOffer),
    payments: {
      mode: env.PAYMENTS ?? ('direct' as const),
      feePercent: Number(env.FEE_PERCENT ?? 0),
    },
    /** Also in direct mode, for deliveries that began with the provider (R171). */
    paystack: env.PAYSTACK_SECRET_KEY
      ? {
          secretKey: env.PAYSTACK_SECRET_KEY,
          url: withoutSlash(env.PAYSTACK_URL ?? 'https://api.paystack.co'),
        }
      : undefined,
    /** Who helps people, and the terms of service (R162); missing where the operator has none. */
    help: { supportPhone: env.SUPPORT_PHONE, termsUrl: env.TERMS_URL },
    sms: {
      provider: env.SMS_PROVIDER ?? ('console' as const),
      url: env.SMS_URL,
      apiKey: env.SMS_API_KEY,
      sender: env.SMS_SENDER ?? product,
    },
    ...imageConfig(env, publicOrigin),
    /** Where the built-in provider keeps photos: in this bucket, or below `dataDir`. */
    objectStorage: objectStorageConfig(env),
    idempotencyDays: Number(env.IDEMPOTENCY_DAYS ?? 90),
    minClientVersion: env.MIN_CLIENT_VERSION ? Number(env.MIN_CLIENT_VERSION) : undefined,
    /** Origins of push services beside the browsers' own (R118). */
    pushServices: listIn(env.PUSH_SERVICES ?? ''),
    logLevel: env.LOG_LEVEL ?? 'info',
    /** Milliseconds from the stop signal, which turns readiness off, until no new request is taken. */
    drain: Number(env.DRAIN_SECONDS ?? 0) * 1_000,
    /** Where traces are sent; missing when none are recorded. */
    tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: withoutSlash(env.OTEL_EXPORTER_OTLP_ENDPOINT),
          serviceName: env.OTEL_SERVICE_NAME ?? product.toLowerCase(),
          /** The share of calls that are recorded. */
          share: Number(env.OTEL_TRACES_SAMPLER_ARG ?? 1),
        }
      : undefined,
  }
}

/** The variables with their forms checked, and those that need each other. Throws `StartupError`. */
function parseEnvironment(environment: Record<string, string | undefined>) {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '')
  const parsed = Environment.safeParse(Object.fromEntries(set))
  if (!parsed.success)
    throw new StartupError(parsed.error.issues[0]?.message ?? 'Bad configuration.')
  const env = parsed.data
  const provider = env.SMS_PROVIDER ?? 'console'
  if (provider !== 'console' && !env.SMS_API_KEY)
    throw new StartupError(`SMS_PROVIDER ${provider} needs SMS_API_KEY.`)
  if (provider === 'hubtel' && !env.SMS_API_KEY?.includes(':'))
    throw new StartupError('SMS_PROVIDER hubtel needs SMS_API_KEY as clientId:clientSecret.')
  if (env.PAYMENTS === 'paystack' && !env.PAYSTACK_SECRET_KEY)
    throw new StartupError('PAYMENTS paystack needs PAYSTACK_SECRET_KEY.')
  if (env.IMAGE_UPLOAD_URL && !env.IMAGE_HOST)
    throw new StartupError('IMAGE_UPLOAD_URL needs IMAGE_HOST: the origin its photos have.')
  for (const name of ['DATABASE_URL_DIRECT', 'DATABASE_URL_REPLICA'] as const)
    if (env[name] && !env.DATABASE_URL) throw new StartupError(`${name} needs DATABASE_URL.`)
  if (env.DATABASE_URL && !env.SECRET_KEY)
    throw new StartupError(
      'DATABASE_URL needs SECRET_KEY: 32 bytes in hex, the same for every process that shares the database.',
    )
  return env
}

/** Where photos go: to the built-in provider, unless another one is named. */
function imageConfig(env: z.infer<typeof Environment>, publicOrigin: string) {
  const preset = env.IMAGE_UPLOAD_PRESET ?? 'soma'
  return {
    keepsImages: env.IMAGE_UPLOAD_URL === undefined,
    imageUploadUrl: env.IMAGE_UPLOAD_URL ?? `${publicOrigin}/api/images/upload`,
    imageUploadPreset: preset,
    /** Another provider knows only the preset it was set up with. */
    idUploadPreset: env.IMAGE_UPLOAD_URL ? preset : `${preset}-id`,
    imageHost: withoutSlash(env.IMAGE_HOST ?? publicOrigin),
  }
}

const withoutSlash = (origin: string) => origin.replace(/\/+$/, '')
