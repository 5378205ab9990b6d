import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { Fatal } from '#server/fatal.ts'

test('everything has a default', () => {
  expect(readConfig({})).toMatchObject({
    ...{ port: 8080, host: '127.0.0.1', publicOrigin: 'http://localhost:8080', logLevel: 'info' },
    ...{ databaseUrl: undefined, admin: { email: 'admin@soma.local', password: undefined } },
    ...{ sms: { provider: 'console', sender: 'Soma' }, idempotencyDays: 90, keepsImages: true },
    imageUploadUrl: 'http://localhost:8080/api/images/upload',
    imageHost: 'http://localhost:8080',
  })
  expect(readConfig({ PORT: '9000' }).imageHost).toBe('http://localhost:9000')
  expect(readConfig({ PUBLIC_ORIGIN: 'https://soma.example/' }).imageHost).toBe(
    'https://soma.example',
  )
  expect(readConfig({ PORT: '', LOG_LEVEL: '' })).toMatchObject({ port: 8080, logLevel: 'info' })
})

test.each([
  [{ PORT: 'http' }, 'PORT must be a whole number from 1 to 65535.'],
  [{ PORT: '70000' }, 'PORT must be a whole number from 1 to 65535.'],
  [{ PUBLIC_ORIGIN: 'soma' }, 'PUBLIC_ORIGIN must be a http:// or https:// address.'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be a postgres:// or postgresql:// address.'],
  [{ ADMIN_EMAIL: 'admin' }, 'ADMIN_EMAIL must be an e-mail.'],
  [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD must have 8 to 200 characters.'],
  [{ SMS_PROVIDER: 'pigeon' }, 'SMS_PROVIDER must be one of console, arkesel, hubtel.'],
  [{ SMS_PROVIDER: 'arkesel' }, 'SMS_PROVIDER arkesel needs SMS_API_KEY.'],
  [
    { SMS_PROVIDER: 'hubtel', SMS_API_KEY: 'x' },
    'SMS_PROVIDER hubtel needs SMS_API_KEY as clientId:clientSecret.',
  ],
  [
    { IMAGE_UPLOAD_URL: 'https://images.test/upload' },
    'IMAGE_UPLOAD_URL needs IMAGE_HOST: the origin its photos have.',
  ],
  [{ IDEMPOTENCY_DAYS: '0' }, 'IDEMPOTENCY_DAYS must be a whole number from 1 to 3650.'],
  [
    { LOG_LEVEL: 'loud' },
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
  ],
])('%j is refused in one clear line', (environment, line) => {
  expect(() => readConfig(environment)).toThrow(new Fatal(line))
})
