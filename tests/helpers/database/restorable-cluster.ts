import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { initialise, start, stop } from '#server/embedded-postgres/cluster.ts'
import { choosePostgresPaths, newFolder } from '#server/embedded-postgres/postgres-paths.ts'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { prepareDatabase } from '#server/postgres/role/role.ts'
import { freePort } from '../server/app-server.ts'
import { connected, type Restorable } from './restorable.ts'

/**
 * A PostgreSQL of its own, backed up and restored by its files: transaction numbers are given again, as
 * after a real restore. A backup or a restore takes about a second.
 */
export async function restorableCluster(): Promise<Restorable> {
  const dataDir = await mkdtemp(join(tmpdir(), 'soma-restorable-'))
  // When the tests run as root, PostgreSQL runs as another user and must reach its folder.
  await chmod(dataDir, 0o755)
  const place = await choosePostgresPaths(dataDir)
  const cluster = { ...place, folder: await newFolder(place) }
  const password = randomBytes(12).toString('hex')
  const port = await freePort()
  await initialise(cluster, password)
  await appendFile(join(cluster.folder, 'postgresql.conf'), '\nfsync = off\n')
  await start(cluster, port)
  const ownerUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const prepared = await prepareDatabase(ownerUrl, { password })
  const repo = openPostgres(prepared.url)
  const copies: string[] = []
  const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to])

  return {
    repo,
    open: () => openPostgres(prepared.url),
    async backup() {
      const kept = `${cluster.folder}-${copies.length}`
      copies.push(kept)
      await stop(cluster)
      await copy(cluster.folder, kept)
      await start(cluster, port)
      await connected(repo)
      return async () => {
        await stop(cluster)
        await rm(cluster.folder, { recursive: true })
        await copy(kept, cluster.folder)
        await start(cluster, port)
        await connected(repo)
      }
    },
    async close() {
      await repo.close()
      await stop(cluster)
      for (const folder of [cluster.folder, ...copies, dataDir])
        await rm(folder, { recursive: true, force: true })
    },
  }
}
