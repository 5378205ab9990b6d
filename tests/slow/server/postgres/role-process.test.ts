import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { appRole } from '#server/postgres/role/role.ts'
import { processes } from '../../../helpers/server/processes.ts'

/* The built server over its embedded PostgreSQL. */

const { started } = processes()

test('every connection that serves calls or listens for changes runs as the unprivileged role', async () => {
  const { server, ask } = await started()
  await ask('zones')
  const about = JSON.parse(readFileSync(join(server.dataDir, 'postgres.json'), 'utf8'))
  const pid = join(resolve(server.dataDir, about.folder), 'postmaster.pid')
  const port = Number(readFileSync(pid, 'utf8').split('\n')[3])
  const owner = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: about.password,
    database: 'postgres',
  })
  await owner.connect()
  const { rows } = await owner.query<{ who: string }>(
    `select distinct application_name || ' as ' || usename as who from pg_stat_activity
     where application_name like 'soma%' order by 1`,
  )
  await owner.end()
  // The owner's only holds the lock against a second server.
  expect(rows.map(({ who }) => who)).toEqual(
    [`soma as ${appRole}`, `soma events as ${appRole}`, 'soma hold as postgres'].sort(),
  )
})
