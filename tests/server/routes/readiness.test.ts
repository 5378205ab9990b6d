import { expect, inject, test } from 'vitest'
import { buildLevel } from '#server/postgres/upgrade/migration-level.ts'
import { ask, freshDatabase } from '../../helpers/database/postgres.ts'
import { postgresDatabase, startTestServer } from '../../helpers/server/server.ts'
import { allReady, ends, losesDatabase, options, readyz } from './readiness.ts'

/* What `/readyz` answers while a part of the service fails, and that it recovers by itself. */

test('a lost database turns readiness off within seconds, which returns with the database; the log says so once', () =>
  losesDatabase('cut'))

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
