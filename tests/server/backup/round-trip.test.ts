import { expect, test } from 'vitest'
import { prepareDatabase } from '#server/postgres/role/role.ts'
import { allRows, schemaOf } from '../../helpers/database/all-rows.ts'
import { fill } from '../../helpers/database/fill-database.ts'
import { ask } from '../../helpers/database/postgres.ts'
import { postgresDatabase, startTestServer } from '../../helpers/server/server.ts'
import {
  addHistory,
  backupFixture,
  cursorOf,
  isAnsweredInFull,
  restored,
} from './backup-fixture.ts'

/* What a backup holds is what a restore gives. */

const made = backupFixture()

test('R93: every row and object is restored into an empty database of an ordinary owner, and older cursors are answered in full', async () => {
  const source = await made.database()
  await fill({ connectionString: source.ownerUrl }, { users: 60, deliveries: 300 })
  const server = await startTestServer(postgresDatabase(source))
  await addHistory(server)
  const cursor = await cursorOf(server)
  const backup = await made.backup({ url: source.ownerUrl })
  const before = await allRows(source.ownerUrl)
  expect(backup.manifest.tables.map(({ name, rows }) => [name, rows])).toEqual(
    Object.entries(before).map(([name, rows]) => [name, rows.length]),
  )
  const url = await made.emptyDatabase()
  await restored(backup, { url })
  expect(await allRows(url)).toEqual(before)
  expect(await schemaOf(url)).toEqual(await schemaOf(source.ownerUrl))
  expect(await isAnsweredInFull(url, cursor)).toBe(true)

  // The next start finds nothing to do, and the server goes on as before.
  await prepareDatabase(url)
  expect(await allRows(url)).toEqual(before)
  await server.close()
})

test('R93: a database is put back to an earlier state in place, without its tables of others, and no cursor of what was lost is continued', async () => {
  const source = await made.database()
  await ask(source.ownerUrl, 'create table others as select 1 as one')
  const server = await startTestServer(postgresDatabase(source))
  const { ama } = await addHistory(server)
  const backup = await made.backup({ url: source.ownerUrl })
  expect(backup.manifest.tables.map(({ name }) => name)).not.toContain('others')
  const before = await allRows(source.ownerUrl)
  expect(before.others).toEqual(['(1)'])
  await ask(source.ownerUrl, 'update others set one = 2')
  const key = '0198f9a4-6d1c-7b6e-9f5e-111111111111'
  const lost = await server.delivery(ama, {}, key)
  const cursor = await cursorOf(server)
  await server.repo.close()
  await expect(restored(backup, { url: source.ownerUrl })).rejects.toThrow(
    /holds data already .*--replace/,
  )
  await restored(backup, { url: source.ownerUrl }, { replaces: true })
  expect(await allRows(source.ownerUrl)).toEqual({ ...before, others: ['(2)'] })

  await prepareDatabase(source.ownerUrl, { password: new URL(source.ownerUrl).password })
  const again = await startTestServer(postgresDatabase(source))
  const path = '/sender/deliveries'
  const answer = await again.raw('GET', `${path}?since=${cursor}`, { token: ama.token })
  const { removed, deliveries } = await answer.json()
  expect(removed).toBeUndefined()
  expect(deliveries.map(({ ID }: { ID: string }) => ID)).not.toContain(lost.ID)
  expect(await isAnsweredInFull(source.url, cursor)).toBe(true)
  // The phone still has its entry and sends it again under the same key: the lost row comes back, once.
  for (let times = 0; times < 2; times++)
    expect((await again.delivery(ama, {}, key)).ID).toBe(lost.ID)
  await again.close()
  await server.close()
})
