import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { freshDatabase } from '../../../../helpers/database/postgres.ts'
import { freePort } from '../../../../helpers/server/app-server.ts'
import { processes } from '../../../../helpers/server/processes.ts'

/* What the server prints when it starts and when it cannot. */

const { started } = processes()

test('a second server on the same data, a port in use and an invalid value each print one line and exit with 1', async () => {
  const { server } = await started()
  const run = (env: Record<string, string>) => {
    const main = join(import.meta.dirname, '../../../../../dist/server/main.js')
    const { status, stderr, stdout } = spawnSync(process.execPath, [main], {
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    })
    return { status, said: `${stdout}${stderr}`.trim() }
  }
  const port = `${await freePort()}`
  expect(run({ PORT: port, DATA_DIR: server.dataDir })).toEqual({
    status: 1,
    said: `Another server is running on ${server.dataDir}. Stop it, or set another DATA_DIR.`,
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'soma-second-'))
  chmodSync(dataDir, 0o755)
  expect(run({ PORT: `${server.port}`, DATA_DIR: dataDir })).toEqual({
    status: 1,
    said: `Port ${server.port} is in use. Set PORT.`,
  })
  rmSync(dataDir, { recursive: true })
  expect(run({ PORT: 'x' })).toEqual({
    status: 1,
    said: 'PORT must be a whole number from 1 to 65535.',
  })
  const noFolder = run({ PORT: port, DATA_DIR: '/dev/null/data' })
  expect(noFolder.status).toBe(1)
  expect(noFolder.said).toMatch(/^DATA_DIR \/dev\/null\/data cannot be used: .+$/)
  const database = await freshDatabase(inject('postgresUrl'))
  const noBackups = run({
    PORT: port,
    DATABASE_URL: database.ownerUrl,
    SECRET_KEY: 'cd'.repeat(32),
    BACKUP_DIR: '/dev/null/backups',
  })
  expect(noBackups.status).toBe(1)
  expect(noBackups.said).toMatch(/^BACKUP_DIR \S+ cannot be used: /)
  await database.drop()
  const nowhere = { PORT: port, DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' }
  expect(run(nowhere)).toEqual({
    status: 1,
    said: expect.stringMatching(/^DATABASE_URL needs SECRET_KEY: .+\.$/),
  })
  expect(run({ ...nowhere, SECRET_KEY: 'ab'.repeat(32) })).toEqual({
    status: 1,
    said: 'Could not start: Error ECONNREFUSED: nothing listens at the address of the database.',
  })
})

test('R11: the first admin’s password is generated and printed once', async () => {
  const { server } = await started({ ADMIN_PASSWORD: '', ADMIN_EMAIL: '' })
  const lines = (start: string) => server.lines.filter((line) => line.startsWith(start))
  const said = () => lines('The first admin')
  await expect.poll(said).toHaveLength(1)
  const [, email, password] = said()[0]?.match(/admin: (\S+), password (\S+) /) ?? []
  const { ask } = {
    ask: (body: object) =>
      fetch(`${server.origin}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  }
  expect((await ask({ email, password })).status).toBe(200)
  await server.restart()
  await expect.poll(() => lines('Soma is at')).toHaveLength(2)
  expect(said()).toHaveLength(1)
  expect((await ask({ email, password })).status).toBe(200)
  expect(statSync(join(server.dataDir, 'postgres.json')).mode & 0o077).toBe(0)
})

test('of two servers that start at once on an empty folder one runs, and the other prints why it cannot', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'soma-two-'))
  chmodSync(dataDir, 0o755)
  const main = join(import.meta.dirname, '../../../../../dist/server/main.js')
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
  await expect.poll(() => outcomes().sort()).toEqual(['refused', 'runs'])
  for (const { child } of children) {
    const ended = child.exitCode !== null || new Promise((gone) => child.once('exit', gone))
    child.kill('SIGTERM')
    await ended
  }
  rmSync(dataDir, { recursive: true })
})

test('a database that ends just after it was found is started again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'soma-ended-'))
  chmodSync(dataDir, 0o755)
  const before = await startEmbeddedPostgres(dataDir)
  await before.stop()
  // A process and a port in the place of the database's: they end when the server connects.
  const port = await freePort()
  // Of the database's own user: to anyone else the process is not there.
  const { uid, gid } = statSync(before.folder)
  const found = spawn('sleep', ['600'], { stdio: 'ignore', uid, gid })
  const listener = createServer((socket) => {
    found.once('exit', () => socket.destroy())
    found.kill()
    listener.close()
  }).listen(port, '127.0.0.1')
  writeFileSync(
    join(before.folder, 'postmaster.pid'),
    [found.pid, before.folder, 0, port, '', '', ''].join('\n'),
  )
  const again = await startEmbeddedPostgres(dataDir)
  const client = new pg.Client({ connectionString: again.url })
  await client.connect()
  await client.end()
  await again.stop()
  rmSync(before.folder, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
})

test('the console provider writes each SMS as one log line', async () => {
  const { server, ask } = await started()
  const phone_number = '0244123456'
  const body = {
    name: 'Ama',
    email: 'ama@example.com',
    password: 'long enough',
    phone_number,
    role: 'sender' as const,
  }
  await ask('signup', { body })
  const code = await server.smsCode(phone_number)
  expect(server.lines.filter((line) => line.includes(code))).toHaveLength(1)
  await ask('confirmPhone', { body: { phone_number, code } })
  expect(server.lines.join('\n')).not.toContain(body.password)
})

test.runIf(process.getuid?.() === 0)(
  'as root, the database’s data are in a folder that its own user can reach',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'soma-mine-'))
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    const said: string[] = []
    const first = await startEmbeddedPostgres(dataDir, { print: (line) => said.push(line) })
    expect(said.join()).toContain(first.folder)
    expect(first.folder.startsWith(dataDir)).toBe(false)
    await first.stop()
    const second = await startEmbeddedPostgres(dataDir, { print: (line) => said.push(line) })
    expect(second.folder).toBe(first.folder)
    await second.stop()
    expect(said).toHaveLength(1)
    rmSync(first.folder, { recursive: true })
    rmSync(dataDir, { recursive: true })
  },
)
