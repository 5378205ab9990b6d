import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { start, stop } from '#server/embedded-postgres/cluster.ts'
import { choosePostgresPaths, newFolder } from '#server/embedded-postgres/postgres-paths.ts'
import { freePort } from '../server/app-server.ts'

/** Where Debian puts the programs of each version. */
const versions = '/usr/lib/postgresql'

/** The folder of a PostgreSQL that this machine has beside the embedded one; `undefined` when there is none. */
export function systemPostgresBin(): string | undefined {
  try {
    const [newest] = readdirSync(versions).sort((one, other) => Number(other) - Number(one))
    return newest && join(versions, newest, 'bin')
  } catch {
    return undefined
  }
}

/** Starts that PostgreSQL on empty files. `url` is of its superuser. */
export async function startSystemPostgres(bin: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'soma-system-postgres-'))
  await chmod(dataDir, 0o755)
  const place = await choosePostgresPaths(dataDir)
  const cluster = { bin, user: place.user, folder: await newFolder(place) }
  const password = randomBytes(12).toString('hex')
  const file = join(dataDir, 'password')
  await writeFile(file, password, { mode: 0o644 })
  const args = ['--pgdata', cluster.folder, '--username', 'postgres', '--pwfile', file]
  // As the embedded one: the case of every letter is folded for the search.
  const auth = ['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C.UTF-8']
  const options = { ...cluster.user, cwd: cluster.folder, env: { PATH: process.env.PATH } }
  await promisify(execFile)(join(bin, 'initdb'), [...args, ...auth], options)
  await appendFile(join(cluster.folder, 'postgresql.conf'), '\nfsync = off\n')
  const port = await freePort()
  await start(cluster, port)
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      await stop(cluster)
      for (const folder of [cluster.folder, dataDir])
        await rm(folder, { recursive: true, force: true })
    },
  }
}
