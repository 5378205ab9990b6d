import { spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { ask, freshDatabase } from '../../../helpers/database/postgres.ts'
import { postgresDatabase, startTestServer } from '../../../helpers/server/server.ts'
import { allReady, ends, losesDatabase, options, readyz } from '../../../server/routes/readiness.ts'

test('a database that does not answer turns readiness off within seconds, which returns with the database; the log says so once', () =>
  losesDatabase('silence'))

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
)
