import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 } from 'uuid'
import { afterEach, expect, test } from 'vitest'
import type { Takes } from '#contract/asks.ts'
import { type Answer, call, type Question } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { startEmbeddedPostgres } from '#server/embedded-postgres.ts'
import { type AppServer, admin, freePort, startAppServer } from '../helpers/app-server.ts'
import { present } from '../helpers/server.ts'

/* The server as it is started, killed and started again. Needs the build (`npm run check` makes none). */

const running: AppServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

async function started(env: Record<string, string> = {}) {
  const server = await startAppServer({ env })
  running.push(server)
  const ask = <O extends Op>(
    op: O,
    question: Question & { body?: Takes<O> } = {},
  ): Promise<Answer<O>> => call((request) => fetch(request), `${server.origin}/api`, op, question)
  return { server, ask }
}

/** The process of the database on these data, while it runs. */
function databaseOf({ dataDir }: AppServer): number | undefined {
  const { folder } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8'))
  try {
    const pid = Number(readFileSync(join(dataDir, folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    return isAlive(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

/** One that is dead and waits for its parent to notice is dead. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !stat
      .slice(stat.lastIndexOf(')') + 1)
      .trim()
      .startsWith('Z')
  } catch {
    return false
  }
}

/** A login that the server has taken up, and whose body is still to come; gives its status. */
async function begunLogin({ origin }: AppServer): Promise<() => Promise<number | undefined>> {
  const asked = request(`${origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', expect: '100-continue' },
  })
  const answered = once(asked, 'response')
  asked.flushHeaders()
  await once(asked, 'continue')
  return async () => {
    asked.end(JSON.stringify(admin))
    const [answer] = (await answered) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
}

const zonesFor = async (ask: Awaited<ReturnType<typeof started>>['ask']) =>
  present((await ask('zones')).value).zones.map(({ Name }) => Name)

test('what was acknowledged is there after a stop, a crash of the server, and a crash of both', async () => {
  const { server, ask } = await started()
  const login = async () => present((await ask('login', { body: admin })).value).token
  const token = await login()
  const key = v7()
  const add = (name: string, key = v7()) => ask('addZone', { token, key, body: { name } })
  await add('Before', key)

  await server.restart()
  expect(await zonesFor(ask)).toContain('Before')

  // The server alone: its database goes on, and is adopted.
  await add('Crash of one')
  const database = present(databaseOf(server))
  await server.kill()
  expect(databaseOf(server)).toBe(database)
  await server.restart()
  expect(databaseOf(server)).toBe(database)
  expect(await zonesFor(ask)).toContain('Crash of one')

  // Both at once.
  await add('Crash of both')
  await server.kill()
  process.kill(database, 'SIGKILL')
  await expect.poll(() => databaseOf(server)).toBeUndefined()
  await server.restart()
  expect(await zonesFor(ask)).toEqual(
    expect.arrayContaining(['Before', 'Crash of one', 'Crash of both']),
  )
  // And the token and the request key as well.
  const again = await add('Before', key)
  expect(again.replayed).toBe(true)
}, 60_000)

test('killed in the midst of writing, every answer that was given holds, and a repeat does nothing twice', async () => {
  const { server, ask } = await started()
  const token = present((await ask('login', { body: admin })).value).token
  const keys = Array.from({ length: 60 }, () => v7())
  const acknowledged = new Set<string>()
  const add = async (key: string) => {
    await ask('addItem', { token, key, body: { name: `Item ${key}` } })
    acknowledged.add(key)
  }
  const sending = Promise.allSettled(keys.map(add))
  await expect.poll(() => acknowledged.size, { interval: 1 }).toBeGreaterThan(3)
  await server.kill()
  await sending
  expect(acknowledged.size).toBeLessThan(keys.length)
  await server.restart()
  const names = async () => present((await ask('items')).value).items.map(({ ID }) => ID)
  expect(await names()).toEqual(expect.arrayContaining([...acknowledged]))
  await Promise.all(keys.map(add))
  const items = await names()
  expect(items.filter((id) => keys.includes(id)).sort()).toEqual([...keys].sort())
}, 60_000)

test('told to stop it finishes what it was asked, exits 0 and leaves no database behind', async () => {
  const { server } = await started()
  const logins = await Promise.all(Array.from({ length: 5 }, () => begunLogin(server)))
  const database = present(databaseOf(server))
  running.splice(0)
  const code = server.stop()
  const reach = () =>
    fetch(`${server.origin}/healthz`).then(
      ({ ok }) => ok,
      () => 'no more',
    )
  await expect.poll(reach).toBe('no more')
  const answers = logins.map((finish) => finish())
  expect(await Promise.all(answers)).toEqual(Array(5).fill(200))
  expect(await code).toBe(0)
  expect(isAlive(database)).toBe(false)
}, 30_000)

test('a database that dies is brought back, and the server goes on', async () => {
  const { server, ask } = await started()
  process.kill(present(databaseOf(server)), 'SIGKILL')
  await expect
    .poll(
      () =>
        ask('zones').then(
          ({ status }) => status,
          () => 503,
        ),
      { timeout: 20_000 },
    )
    .toBe(200)
  await expect
    .poll(
      () =>
        ask('login', { body: admin }).then(
          ({ status }) => status,
          () => 503,
        ),
      { timeout: 5_000 },
    )
    .toBe(200)
}, 40_000)

test('a second server on the same data, a taken port and a bad value are one clear line and exit 1', async () => {
  const { server } = await started()
  const run = (env: Record<string, string>) => {
    const main = join(import.meta.dirname, '../../dist/server/main.js')
    const { status, stderr, stdout } = spawnSync(process.execPath, [main], {
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    })
    return { status, said: `${stdout}${stderr}`.trim() }
  }
  const port = `${await freePort()}`
  expect(run({ PORT: port, DATA_DIR: server.dataDir })).toEqual({
    ...{
      status: 1,
      said: `Another server is running on ${server.dataDir}. Stop it, or set another DATA_DIR.`,
    },
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'soma-second-'))
  chmodSync(dataDir, 0o755)
  expect(run({ PORT: `${server.port}`, DATA_DIR: dataDir })).toEqual({
    ...{ status: 1, said: `Port ${server.port} is in use. Set PORT.` },
  })
  rmSync(dataDir, { recursive: true })
  expect(run({ PORT: 'x' })).toEqual({
    ...{ status: 1, said: 'PORT must be a whole number from 1 to 65535.' },
  })
  expect(run({ PORT: port, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).toEqual({
    ...{ status: 1, said: expect.stringMatching(/^Could not start: .+$/) },
  })
}, 60_000)

test('the first admin’s password is made up and said once', async () => {
  const { server } = await started({ ADMIN_PASSWORD: '', ADMIN_EMAIL: '' })
  const said = () => server.lines.filter((line) => line.startsWith('The first admin'))
  expect(said()).toHaveLength(1)
  const [, email, password] = said()[0]?.match(/admin: (\S+), password (\S+) /) ?? []
  const { ask } = {
    ask: (body: object) =>
      fetch(`${server.origin}/api/login`, { method: 'POST', body: JSON.stringify(body) }),
  }
  expect((await ask({ email, password })).status).toBe(200)
  await server.restart()
  expect(said()).toHaveLength(1)
  expect((await ask({ email, password })).status).toBe(200)
  expect(statSync(join(server.dataDir, 'postgres.json')).mode & 0o077).toBe(0)
}, 30_000)

test('two servers that start at once on an empty folder: one runs, the other says why not', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'soma-two-'))
  chmodSync(dataDir, 0o755)
  const main = join(import.meta.dirname, '../../dist/server/main.js')
  const children = await Promise.all(
    [0, 1].map(async () => {
      const env = { PATH: process.env.PATH, PORT: `${await freePort()}`, DATA_DIR: dataDir }
      const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          said += chunk.toString()
        })
      return { child, said: () => said }
    }),
  )
  const outcomes = () =>
    children.map(({ said }) =>
      said().includes('Soma is at') ? 'runs' : said().includes('Another server') ? 'refused' : '',
    )
  await expect.poll(() => outcomes().sort(), { timeout: 20_000 }).toEqual(['refused', 'runs'])
  for (const { child } of children) {
    const ended = child.exitCode !== null || new Promise((gone) => child.once('exit', gone))
    child.kill('SIGTERM')
    await ended
  }
  rmSync(dataDir, { recursive: true })
}, 40_000)

test('texts of the console provider are one log line each', async () => {
  const { server, ask } = await started()
  const phone_number = '0244123456'
  const body = {
    ...{ name: 'Ama', email: 'ama@example.com', password: 'long enough' },
    ...{ phone_number, role: 'sender' as const },
  }
  await ask('signup', { body })
  const code = await server.smsCode(phone_number)
  expect(server.lines.filter((line) => line.includes(code))).toHaveLength(1)
  await ask('confirmPhone', { body: { phone_number, code } })
  expect(server.lines.join('\n')).not.toContain(body.password)
}, 30_000)

test.runIf(process.getuid?.() === 0)(
  'as root, data that only root can reach are kept where the database’s own user can',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'soma-mine-'))
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    const said: string[] = []
    const first = await startEmbeddedPostgres(dataDir, (line) => said.push(line))
    expect(said.join()).toContain(first.folder)
    expect(first.folder.startsWith(dataDir)).toBe(false)
    await first.stop()
    const second = await startEmbeddedPostgres(dataDir, (line) => said.push(line))
    expect(second.folder).toBe(first.folder)
    await second.stop()
    expect(said).toHaveLength(1)
    rmSync(first.folder, { recursive: true })
    rmSync(dataDir, { recursive: true })
  },
  30_000,
)
