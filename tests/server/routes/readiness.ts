import { afterEach, expect, inject } from 'vitest'
import type { Ports } from '#server/ports/ports.ts'
import { buildLevel } from '#server/postgres/upgrade/migration-level.ts'
import { databaseProxy } from '../../helpers/database/database-proxy.ts'
import { freshDatabase } from '../../helpers/database/postgres.ts'
import {
  postgresDatabase,
  startTestServer,
  type TestServer,
  testOptions,
} from '../../helpers/server/server.ts'

/** What a test has started, ended after it. */
export const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

export const options = { ...testOptions, migration: buildLevel() }

export const allReady = { database: 'ready', migrations: 'ready', disk: 'ready', uploads: 'ready' }

export async function readyz({ fetch }: Pick<TestServer, 'fetch'>) {
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

/** Readiness goes off within seconds, and returns with the database; the log says so once. */
export async function losesDatabase(way: 'cut' | 'silence') {
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
}
