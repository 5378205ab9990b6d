import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig, settingNames } from '#server/node/startup/config.ts'
import { defaultLimits } from '#server/ports/limits.ts'
import { StartupError } from '#server/startup-error.ts'

const s3 = {
  PHOTOS: 's3',
  S3_ENDPOINT: 'https://s3.example/path/',
  S3_BUCKET: 'soma-photos',
  S3_ACCESS_KEY: 'key',
  S3_SECRET_KEY: 'secret/+=',
}

test('every setting has a default', () => {
  expect(readConfig({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    publicOrigin: 'http://localhost:8080',
    logLevel: 'info',
    databaseUrl: undefined,
    backupDir: undefined,
    admin: { email: 'admin@soma.local', password: undefined },
    sms: { provider: 'console', sender: 'Soma' },
    idempotencyDays: 90,
    keepsImages: true,
    imageUploadUrl: 'http://localhost:8080/api/images/upload',
    imageHost: 'http://localhost:8080',
    idUploadPreset: 'soma-id',
    trustProxy: [],
    servesDemo: true,
    smsDaily: 2_000,
    limits: {},
    metricsToken: undefined,
    secretKey: undefined,
    minClientVersion: undefined,
    minOffer: 1,
    endings: { returnShare: 0.5 },
    help: { supportPhone: undefined, termsUrl: undefined },
    objectStorage: undefined,
    drain: 0,
    tracing: undefined,
  })
  expect(readConfig({ DRAIN_SECONDS: '15' }).drain).toBe(15_000)
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }).tracing).toEqual({
    endpoint: 'http://collector:4318',
    serviceName: 'soma',
    share: 1,
  })
  expect(readConfig(s3).objectStorage).toEqual({
    endpoint: 'https://s3.example/path',
    bucket: 'soma-photos',
    accessKey: 'key',
    secretKey: 'secret/+=',
    region: 'us-east-1',
  })
  expect(readConfig({ ...s3, S3_REGION: 'auto' }).objectStorage?.region).toBe('auto')
  expect(readConfig({ ...s3, PHOTOS: 'disk' }).objectStorage).toBeUndefined()
  expect(readConfig({ BACKUP_DIR: '/backups' }).backupDir).toBe('/backups')
  expect(readConfig({ MIN_CLIENT_VERSION: '14' }).minClientVersion).toBe(14)
  expect(readConfig({ MIN_OFFER: '2.5' }).minOffer).toBe(2.5)
  expect(
    readConfig({ TRUST_PROXY: ' 127.0.0.1, fd00::/8 ', LIMITS: '{"login":3}', DEMO: 'off' }),
  ).toMatchObject({
    trustProxy: ['127.0.0.1', 'fd00::/8'],
    limits: { login: 3 },
    servesDemo: false,
  })
  expect(readConfig({ PORT: '9000' }).imageHost).toBe('http://localhost:9000')
  expect(readConfig({ PUBLIC_ORIGIN: 'https://soma.example/' }).imageHost).toBe(
    'https://soma.example',
  )
  expect(readConfig({ PORT: '', LOG_LEVEL: '' })).toMatchObject({ port: 8080, logLevel: 'info' })
})

test.each([
  [{ PORT: '70000' }, 'PORT must be a whole number from 1 to 65535.'],
  ...[
    'https://soma.example/app',
    'https://soma.example/?a',
    'ftp://soma.example',
    'soma.example',
  ].map((PUBLIC_ORIGIN): [Record<string, string>, string] => [
    { PUBLIC_ORIGIN },
    'PUBLIC_ORIGIN must be an http:// or https:// address without a path.',
  ]),
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be a postgres:// or postgresql:// address.'],
  [
    { DATABASE_URL_DIRECT: 'http://x' },
    'DATABASE_URL_DIRECT must be a postgres:// or postgresql:// address.',
  ],
  [{ DATABASE_URL_DIRECT: 'postgres://x' }, 'DATABASE_URL_DIRECT needs DATABASE_URL.'],
  [{ DATABASE_URL_REPLICA: 'postgres://x' }, 'DATABASE_URL_REPLICA needs DATABASE_URL.'],
  [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD must have 8 to 200 characters.'],
  [{ SMS_PROVIDER: 'arkesel' }, 'SMS_PROVIDER arkesel needs SMS_API_KEY.'],
  [
    { SMS_PROVIDER: 'hubtel', SMS_API_KEY: 'x' },
    'SMS_PROVIDER hubtel needs SMS_API_KEY as clientId:clientSecret.',
  ],
  [
    { IMAGE_UPLOAD_URL: 'https://images.test/upload' },
    'IMAGE_UPLOAD_URL needs IMAGE_HOST: the origin its photos have.',
  ],
  ...(['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const).map(
    (name): [Record<string, string>, string] => [{ ...s3, [name]: '' }, `PHOTOS s3 needs ${name}.`],
  ),
  ...[
    's3.example',
    'ftp://s3.example',
    'https://key:secret@s3.example',
    'https://s3.example/?a=b',
    'https://',
  ].map((S3_ENDPOINT): [Record<string, string>, string] => [
    { ...s3, S3_ENDPOINT },
    'S3_ENDPOINT must be a http:// or https:// address without a user, query or fragment.',
  ]),
  ...['ab', 'Photos', 'a/b', '../x', 'a b', '-photos'].map(
    (S3_BUCKET): [Record<string, string>, string] => [
      { ...s3, S3_BUCKET },
      'S3_BUCKET must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens.',
    ],
  ),
  [{ ...s3, S3_SECRET_KEY: 'two words' }, 'S3_SECRET_KEY must be characters without spaces.'],
  [
    { ...s3, IMAGE_UPLOAD_URL: 'https://images.test/upload', IMAGE_HOST: 'https://images.test' },
    'PHOTOS s3 and IMAGE_UPLOAD_URL exclude each other.',
  ],
  [{ SECRET_KEY: 'ab' }, 'SECRET_KEY must be 32 bytes in hex: 64 hex digits.'],
  [
    { DATABASE_URL: 'postgres://x' },
    'DATABASE_URL needs SECRET_KEY: 32 bytes in hex, the same for every process that shares the database.',
  ],
  ...['+233200000000', '9607771234', '0700000000', '024412345'].map(
    (ADMIN_PHONE): [Record<string, string>, string] => [
      { ADMIN_PHONE },
      'ADMIN_PHONE must be a phone number of Ghana: ten digits that begin with 02, 03, 04 or 05.',
    ],
  ),
  ...['233302000000', '030200000', '0302 000 000', '8302000000'].map(
    (SUPPORT_PHONE): [Record<string, string>, string] => [
      { SUPPORT_PHONE },
      'SUPPORT_PHONE must be a phone number: ten digits that begin with 0.',
    ],
  ),
  ...['soma.example/terms', 'javascript:alert(1)'].map(
    (TERMS_URL): [Record<string, string>, string] => [
      { TERMS_URL },
      'TERMS_URL must be a http:// or https:// address.',
    ],
  ),
  [
    { TRUST_PROXY: '10.0.0.0/33' },
    'TRUST_PROXY must be a comma-separated list of addresses or CIDR ranges, such as 127.0.0.1/32,10.0.0.0/8.',
  ],
  [
    { LIMITS: '{"logins":1}' },
    `LIMITS knows no logins; its names are ${Object.keys(defaultLimits).join(', ')}.`,
  ],
  [{ LIMITS: '{"login":0}' }, 'LIMITS: login must be a whole number from 1 to 1000000.'],
  [{ DRAIN_SECONDS: '301' }, 'DRAIN_SECONDS must be a whole number from 0 to 300.'],
  [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.'],
  [{ IDEMPOTENCY_DAYS: '0' }, 'IDEMPOTENCY_DAYS must be a whole number from 1 to 3650.'],
])('%j is refused with one line', (environment, line) => {
  expect(() => readConfig(environment)).toThrow(new StartupError(line))
})

/** Settings that take any text. What else could be wrong with them shows when they are used. */
const anyText = [
  'HOST',
  'DATA_DIR',
  'BACKUP_DIR',
  'SMS_API_KEY',
  'SMS_SENDER',
  'IMAGE_UPLOAD_PRESET',
  'OTEL_SERVICE_NAME',
]

/** Values that are wrong for nearly every setting: of another kind, too small, too large, of several lines. */
const wrongValues = [
  '?',
  '-1',
  '1e99',
  'two words',
  'one\ntwo',
  'ftp://x',
  '{"a":',
  '99999999999999',
  'é'.repeat(300),
]

describe('each setting', () => {
  test.each(settingNames)('%s has a line of its own in OPERATIONS.md', (name) => {
    const path = join(import.meta.dirname, '../../../../src/OPERATIONS.md')
    expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, 'm'))
  })

  test.each(settingNames)('%s refuses a wrong value with one line that names it', (name) => {
    const lines = wrongValues.flatMap((value) => {
      try {
        readConfig({ [name]: value })
        return []
      } catch (error) {
        expect(error).toBeInstanceOf(StartupError)
        return error instanceof StartupError ? [error.message] : []
      }
    })
    for (const line of lines) {
      expect(line).toContain(name)
      expect(line).toMatch(/^[^\n]{10,200}\.$/)
    }
    if (anyText.includes(name)) expect(lines).toEqual([])
    else expect(lines.length).toBeGreaterThan(2)
  })
})

test('R173: a payment provider needs its key, and stays for deliveries that began with it', () => {
  const key = { PAYSTACK_SECRET_KEY: 'sk_test_1' }
  expect(readConfig({})).toMatchObject({ payments: { mode: 'direct' }, paystack: undefined })
  expect(readConfig({ ...key, PAYMENTS: 'paystack' })).toMatchObject({
    payments: { mode: 'paystack', feePercent: 0 },
    paystack: { secretKey: 'sk_test_1', url: 'https://api.paystack.co' },
  })
  const url = { PAYSTACK_URL: 'http://127.0.0.1:9/' }
  expect(readConfig({ ...key, ...url })).toMatchObject({
    payments: { mode: 'direct' },
    paystack: { url: 'http://127.0.0.1:9' },
  })
  for (const [wrong, line] of [
    [{ PAYMENTS: 'paystack' }, 'PAYMENTS paystack needs PAYSTACK_SECRET_KEY.'],
    [{ PAYMENTS: 'momo' }, 'PAYMENTS must be one of direct, paystack.'],
    [{ PAYSTACK_SECRET_KEY: 'a b' }, 'PAYSTACK_SECRET_KEY must be characters without spaces.'],
    [{ PAYSTACK_URL: 'ftp://x' }, 'PAYSTACK_URL must be a http:// or https:// address.'],
  ] as const)
    expect(() => readConfig(wrong)).toThrow(line)
})
