import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { captureConsole, describeError, errorHeadline, safeLog } from '#server/log/safe-log.ts'
import type { Log } from '#server/ports/ports.ts'
import { openPostgres } from '#server/postgres/open-postgres.ts'

/* What the log may contain, and that nothing writes to it in another way. */

function listening() {
  const lines: string[] = []
  const write = (about: object, message: string) => {
    lines.push(`${message} ${JSON.stringify(about)}`)
  }
  const log: Log = { info: write, warn: write, error: write }
  return { log, lines }
}

describe('an error', () => {
  test('of PostgreSQL is logged by its type, code, constraint, routine and frames only', async () => {
    const repo = openPostgres(inject('postgresUrl'))
    const secret = 'code 48213 of 0244123456'
    const error: unknown = await repo.pool
      .query('select $1::text::int', [secret])
      .catch((thrown: unknown) => thrown)
    await repo.close()
    expect(`${error}`).toContain(secret)
    const said = describeError(new Error(`Failed query, params: ${secret}`, { cause: error }))
    expect(JSON.stringify(said)).not.toMatch(/48213|0244123456|select|Failed/)
    expect(said).toMatchObject({
      type: 'Error',
      frames: expect.arrayContaining([expect.stringMatching(/^at .+:\d+:\d+\)?$/)]),
      cause: { type: 'DatabaseError', code: '22P02', routine: 'pg_strtoint32_safe' },
    })
  })

  test.each([
    'secret',
    'first\n    at secret (file.ts:1:1)',
    'first\n    at secret (file.ts:1:1)\nlast secret',
    '    at secret:1:1',
    'secret\n',
  ])('is never logged by its message, not even one that looks like a stack: %j', (message) => {
    const error = new Error(message)
    expect(JSON.stringify(describeError(error))).not.toContain('secret')
    error.name = 'A secret name'
    expect(JSON.stringify(describeError(error))).not.toContain('secret')
    error.message = 'another'
    expect(JSON.stringify(describeError(error).frames?.slice(1))).not.toContain('secret (')
    expect(describeError(new Error(message)).frames?.[0]).toContain('safe-log.test.ts')
  })

  test('of any other type is logged by its type only', () => {
    for (const thrown of ['secret', { secret: 'secret' }, ['secret'], { code: 'a secret' }, null])
      expect(JSON.stringify(describeError(thrown))).not.toContain('secret')
    const round = new Error('secret')
    round.cause = round
    expect(JSON.stringify(describeError(round))).not.toContain('secret')
    const many = new AggregateError([new Error('secret')], 'secret')
    expect(JSON.stringify(describeError(many))).not.toContain('secret')
  })
})

test('only numbers, flags and the name of a call are written of a line’s fields', () => {
  const { log, lines } = listening()
  const about = {
    op: 'login',
    count: 3,
    done: true,
    phone: '0244123456',
    body: { code: '48213' },
    err: new Error('0244123456'),
    reason: 'not a word: 0244123456',
  }
  for (const level of ['info', 'warn', 'error'] as const) safeLog(log)[level](about, 'A line')
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    expect(line).toContain('"op":"login","count":3,"done":true')
    expect(line).not.toMatch(/0244123456|48213/)
  }
  const once = safeLog(log)
  expect(safeLog(once)).toBe(once)
})

test('what a package writes to the console is logged by the same rules', () => {
  const { log, lines } = listening()
  const to: Record<string, unknown> = {}
  captureConsole(safeLog(log), to)
  for (const write of Object.values(to) as ((...said: unknown[]) => void)[])
    write('secret', new Error('secret'), { secret: 'secret' })
  expect(lines).toHaveLength(6)
  expect(lines.join()).not.toContain('secret')
  expect(lines[0]).toContain('"type":"Error"')
})

test.each([
  ['postgres://postgres:wrong-secret@127.0.0.1:1/none', /ECONNREFUSED/],
  [inject('postgresUrl').replace(/:[^:@/]+@/, ':wrong-secret@'), /28P01 \(auth_failed\)/],
  [`${inject('postgresUrl')}_secret`, /3D000/],
])('a failed start logs one line without an address or a password', async (url, why) => {
  const client = new pg.Client({ connectionString: url })
  const error: unknown = await client.connect().catch((thrown: unknown) => thrown)
  await client.end().catch(() => undefined)
  expect(errorHeadline(error)).toMatch(why)
  expect(errorHeadline(error)).not.toMatch(/secret|\n|127\.0/)
})

const folder = join(import.meta.dirname, '../../../src/server')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

describe('there is no other way to the log:', () => {
  const naming = (pattern: RegExp) =>
    sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)

  test('one file creates it and wraps it before its first use', () => {
    expect(naming(/\bpino\(/)).toEqual(['node/main.ts'])
    const main = sources.find(({ name }) => name === 'node/main.ts')?.text ?? ''
    expect(main).toContain('const log = safeLog(lines)')
    // The console's SMS line is the one that may carry a code.
    const uses = [...main.matchAll(/\blines\b/g)].length
    expect(main).toContain('smsProvider(config.sms, lines)')
    expect(uses).toBe(3)
    expect(main).toContain('captureConsole(log)')
    const server = sources.find(({ name }) => name === 'app.ts')?.text ?? ''
    expect(server).toContain('log: safeLog(adapters.log)')
  })

  test('no other file writes to the console; only lines for the operator go to the terminal', () => {
    expect(naming(/\bconsole\.\w+\(/)).toEqual([])
    expect(naming(/process\.(stdout|stderr)\b/)).toEqual(['node/main.ts'])
  })

  test('every line has a fixed message and an object', () => {
    const lines = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/\blog\.(?:info|warn|error)\(([\s\S]*?)\n?\s*\)(?:\n|,| |$|;|\))/g)].map(
        ([, given = '']) => ({ name, given: given.replace(/\s+/g, ' ').trim() }),
      ),
    )
    expect(lines.length).toBeGreaterThan(4)
    const shaped =
      /^\{[^}]*\},\s*('[^'$]*'|"[^"$]*"|database\.problem|message|`\$\{found\.line\}[^$]*`),?$/
    const odd = lines.filter(
      ({ name, given }) =>
        name !== 'log/safe-log.ts' && name !== 'node/messages/sms.ts' && !shaped.test(given),
    )
    expect(odd).toEqual([])
  })
})
