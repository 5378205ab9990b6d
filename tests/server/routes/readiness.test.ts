import { spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, inject, test } from 'vitest'
import type { Ports } from '#server/ports/ports.ts'
import { buildLevel } from '#server/postgres/migration-level.ts'
import { databaseProxy } from '../../helpers/database/database-proxy.ts'
import { ask, freshDatabase } from '../../helpers/database/postgres.ts'
import {
  postgresDatabase,
  startTestServer,
  type TestServer,
  testOptions,
} from '../../helpers/server/server.ts'

/* What `/readyz` answers while a part of the service fails, and that it recovers by itself. */

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const options = { ...testOptions, migration: buildLevel() }

const allReady = { database: 'ready', migrations: 'ready', disk: 'ready', uploads: 'ready' }

async function readyz({ fetch }: Pick<TestServer, 'fetch'>) {
  const response = await fetch(new Request('http://soma.test/readyz'))
  return [response.status, await response.json()]
}

const logged = ({ logged }: TestServer, text: string) =>
  logged.filter((line) => line.includes(text)).length

async function serverBehindProxy(over?: Partial<Ports>) {
  const database = await freshDatabase(inject('postgresUrl'))
  ends.push(database.drop)
  const proxy = await databaseProxy(database.url)
  ends.push(proxy.close)
  const server = await startTestServer(
    postgresDatabase({ url: proxy.url, drop: database.drop }),
    over,
  )
  ends.push(server.close)
  return { server, proxy, database }
}

test.each(['cut', 'silence'] as const)(
  'a lost database (%s) turns readiness off within seconds, which returns with the database; the log says so once',
  async (way) => {
    const { server, proxy } = await serverBehindProxy({ options })
    expect(await readyz(server)).toEqual([200, { status: 'ready', ...allReady }])
    proxy[way]()
    const pool = server.pool()
    const before = pool.totalCount - pool.idleCount
    const lost = { ...allReady, database: 'unreachable', migrations: 'unknown' }
    // Many looks at once hold one of the connections that calls need.
    const looks = await Promise.all(Array.from({ length: 30 }, () => readyz(server)))
    expect(looks).toEqual(Array(30).fill([503, { status: 'not ready', ...lost }]))
    expect(pool.totalCount - pool.idleCount - before).toBeLessThanOrEqual(1)
    expect(await readyz(server)).toEqual([503, { status: 'not ready', ...lost }])
    expect(logged(server, 'Not ready: the database does not answer')).toBe(1)
    expect((await server.fetch(new Request('http://soma.test/healthz'))).status).toBe(200)
    proxy.restore()
    await expect.poll(() => readyz(server)).toEqual([200, { status: 'ready', ...allReady }])
    expect(logged(server, 'Ready again')).toBe(1)
  },
  30_000,
)

test('a process goes on serving a database that a newer version migrates, and does not serve an older one', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  ends.push(database.drop)
  const server = await startTestServer(postgresDatabase(database), { options })
  ends.push(server.close)
  const setLevel = (level: number) =>
    ask(database.ownerUrl, `update settings set value = '${level}' where name = 'newest migration'`)
  await setLevel(buildLevel() + 1)
  expect(await readyz(server)).toEqual([200, { status: 'ready', ...allReady, migrations: 'newer' }])
  await setLevel(buildLevel() - 1)
  expect(await readyz(server)).toEqual([
    503,
    { status: 'not ready', ...allReady, migrations: 'older' },
  ])
  // As before the first version that notes its level.
  await ask(database.ownerUrl, "delete from settings where name = 'newest migration'")
  expect((await readyz(server))[0]).toBe(503)
})

test('with little space for the embedded database the server is not ready', async () => {
  let free = 49_999_999
  const databaseFreeBytes = async () => free
  const server = await startTestServer(undefined, { options, databaseFreeBytes })
  ends.push(server.close)
  expect(await readyz(server)).toEqual([503, { status: 'not ready', ...allReady, disk: 'full' }])
  free = 50_000_000
  expect(await readyz(server)).toEqual([200, { status: 'ready', ...allReady }])
})

test('a server that stops is not ready from the first moment on, and still answers calls', async () => {
  const server = await startTestServer(undefined, { options })
  ends.push(server.close)
  server.drain()
  expect(await readyz(server)).toEqual([503, { status: 'stopping', ...allReady }])
  expect((await server.raw('GET', '/zones')).status).toBe(200)
})

/** Mounts a file system of 8 MB for a tablespace of this database; `undefined` where that is not allowed. */
async function smallDisk(ownerUrl: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'soma-small-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder])
  ends.push(() => {
    spawnSync('umount', [folder])
    rmSync(folder, { recursive: true, force: true })
  })
  if (status !== 0) return undefined
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const { rows } = await client.query('show data_directory')
  await client.end()
  const { uid, gid } = statSync(rows[0].data_directory)
  chownSync(folder, uid, gid)
  return folder
}

test.runIf(process.getuid?.() === 0)(
  'on a full disk changes are answered with 503 and readiness is off; what was acknowledged is there, and the rest succeeds later',
  async (context) => {
    const database = await freshDatabase(inject('postgresUrl'))
    // A tablespace is dropped after its databases, and its disk last.
    let hasTablespace = false
    const dropAll = async () => {
      await database.drop()
      if (hasTablespace) await ask(inject('postgresUrl'), 'drop tablespace small')
    }
    const folder = await smallDisk(database.ownerUrl)
    ends.push(dropAll)
    if (folder === undefined) return context.skip('No file system can be mounted here')
    await ask(database.ownerUrl, `create tablespace small location '${folder}'`)
    hasTablespace = true
    await ask(database.ownerUrl, 'alter table deliveries set tablespace small')
    await ask(database.ownerUrl, 'create table filler (bytes text) tablespace small')
    const server = await startTestServer(postgresDatabase(database), { options })
    ends.push(server.close)
    for (const rows of [1_000, 10])
      for (let isFull = false; !isFull; )
        await ask(
          database.ownerUrl,
          `insert into filler select repeat('x', 1000) from generate_series(1, ${rows})`,
        ).catch((error) => {
          expect(error.code).toBe('53100')
          isFull = true
        })

    const keys = Array.from({ length: 40 }, () => crypto.randomUUID())
    const create = async (key: string) => {
      const answer = await server.raw('POST', '/guest/deliveries', {
        key,
        body: { ...server.request(), senderName: 'Kofi', senderPhone: server.newPhone() },
      })
      const { reason } = await answer.json()
      return { key, status: answer.status, reason }
    }
    const first = []
    for (const key of keys) first.push(await create(key))
    const refused = first.filter(({ status }) => status !== 201)
    expect(refused.length).toBeGreaterThan(0)
    for (const each of refused) expect(each).toMatchObject({ status: 503, reason: 'unavailable' })
    expect(await readyz(server)).toEqual([503, { status: 'not ready', ...allReady, disk: 'full' }])
    expect((await server.raw('GET', '/zones')).status).toBe(200)
    const kept = await server.pool().query('select id from deliveries where id = any($1)', [keys])
    const acknowledged = first.filter(({ status }) => status === 201).map(({ key }) => key)
    expect(kept.rows.map(({ id }) => id).sort()).toEqual(acknowledged.sort())

    await ask(database.ownerUrl, 'drop table filler')
    await expect.poll(() => readyz(server)).toEqual([200, { status: 'ready', ...allReady }])
    for (const { key } of refused) expect((await create(key)).status).toBe(201)
  },
  60_000,
)
