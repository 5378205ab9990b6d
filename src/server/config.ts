import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { product } from '#domain/product.ts'
import { Fatal } from './fatal.ts'

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

const oneOf = <const T extends string[]>(name: string, values: T) =>
  z.optional(z.enum(values, `${name} must be one of ${values.join(', ')}.`))

/** The environment as it may be (interfaces: configuration). What is left out has its default below. */
const Environment = z.object({
  PORT: whole('PORT', 1, 65_535),
  HOST: z.optional(z.string()),
  PUBLIC_ORIGIN: url('PUBLIC_ORIGIN', web),
  DATA_DIR: z.optional(z.string()),
  DATABASE_URL: url('DATABASE_URL', ['postgres:', 'postgresql:']),
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
  IDEMPOTENCY_DAYS: whole('IDEMPOTENCY_DAYS', 1, 3_650),
  LOG_LEVEL: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
})

export type Config = ReturnType<typeof readConfig>

/** The configuration, whole. Throws `Fatal` with one clear line about the first value that is wrong. */
export function readConfig(environment: Record<string, string | undefined>) {
  const given = Object.entries(environment).filter(
    ([, value]) => value !== undefined && value !== '',
  )
  const parsed = Environment.safeParse(Object.fromEntries(given))
  if (!parsed.success) throw new Fatal(parsed.error.issues[0]?.message ?? 'Bad configuration.')
  const env = parsed.data
  const provider = env.SMS_PROVIDER ?? 'console'
  if (provider !== 'console' && !env.SMS_API_KEY)
    throw new Fatal(`SMS_PROVIDER ${provider} needs SMS_API_KEY.`)
  if (provider === 'hubtel' && !env.SMS_API_KEY?.includes(':'))
    throw new Fatal('SMS_PROVIDER hubtel needs SMS_API_KEY as clientId:clientSecret.')
  if (env.IMAGE_UPLOAD_URL && !env.IMAGE_HOST)
    throw new Fatal('IMAGE_UPLOAD_URL needs IMAGE_HOST: the origin its photos have.')
  const port = Number(env.PORT ?? 8080)
  const publicOrigin = trimmed(env.PUBLIC_ORIGIN ?? `http://localhost:${port}`)
  return {
    port,
    host: env.HOST ?? '127.0.0.1',
    publicOrigin,
    dataDir: resolve(env.DATA_DIR ?? 'data'),
    databaseUrl: env.DATABASE_URL,
    admin: { email: env.ADMIN_EMAIL ?? 'admin@soma.local', password: env.ADMIN_PASSWORD },
    sms: {
      ...{ provider, url: env.SMS_URL, apiKey: env.SMS_API_KEY },
      sender: env.SMS_SENDER ?? product,
    },
    /** Photos are kept here, unless another provider is named. */
    keepsImages: env.IMAGE_UPLOAD_URL === undefined,
    imageUploadUrl: env.IMAGE_UPLOAD_URL ?? `${publicOrigin}/api/images/upload`,
    imageUploadPreset: env.IMAGE_UPLOAD_PRESET ?? 'soma',
    imageHost: trimmed(env.IMAGE_HOST ?? publicOrigin),
    idempotencyDays: Number(env.IDEMPOTENCY_DAYS ?? 90),
    logLevel: env.LOG_LEVEL ?? 'info',
  }
}

const trimmed = (origin: string) => origin.replace(/\/+$/, '')
