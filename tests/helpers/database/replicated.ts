import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { initialise, start, stop } from '#server/embedded-postgres/cluster.ts'
import { choosePostgresPaths, newFolder } from '#server/embedded-postgres/postgres-paths.ts'
import { prepareDatabase } from '#server/postgres/role/role.ts'
import { freePort } from '../server/app-server.ts'

export type Replicated = Awaited<ReturnType<typeof replicatedPostgres>>

/** A PostgreSQL of its own and a standby that follows it, as two addresses of one database. Takes about 3 s. */
export async function replicatedPostgres() {
  const dataDir = await mkdtemp(join(tmpdir(), 'soma-replicated-'))
  // When the tests run as root, PostgreSQL runs as another user and must reach its folder.
  await chmod(dataDir, 0o755)
  const place = await choosePostgresPaths(dataDir)
  const primary = { ...place, folder: await newFolder(place) }
  const standby = { ...place, folder: `${primary.folder}-standby` }
  const [port, standbyPort] = [await freePort(), await freePort()]
  const password = randomBytes(12).toString('hex')
  const addressOf = (user: string, port: number) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/postgres`
  await initialise(primary, password)
  await appendFile(join(primary.folder, 'postgresql.conf'), '\nfsync = off\n')
  await start(primary, port)
  const ownerUrl = addressOf('postgres', port)
  const { url } = await prepareDatabase(ownerUrl, { password })
  await stop(primary)
  await promisify(execFile)('cp', ['-a', primary.folder, standby.folder])
  const follows = `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=standby`
  await appendFile(join(standby.folder, 'postgresql.conf'), `\nprimary_conninfo = '${follows}'\n`)
  await writeFile(join(standby.folder, 'standby.signal'), '')
  await start(primary, port)
  await start(standby, standbyPort)
  const standbyOwnerUrl = addressOf('postgres', standbyPort)

  const clients = new Map<string, pg.Client>()
  /** A connection that is kept, and opened again when its PostgreSQL was started again. */
  async function connectionTo(address: string): Promise<pg.Client> {
    const kept = clients.get(address)
    if (kept) return kept
    const client = new pg.Client({ connectionString: address })
    client.on('error', () => undefined)
    client.once('end', () => clients.delete(address))
    await client.connect()
    clients.set(address, client)
    return client
  }

  /** The first column of the first row of a statement at one of the two. */
  async function valueAt(address: string, statement: string): Promise<unknown> {
    const client = await connectionTo(address)
    const { rows } = await client.query({ text: statement, rowMode: 'array' })
    return rows[0]?.[0]
  }

  const atStandby = (statement: string) => valueAt(standbyOwnerUrl, statement)
  const atPrimary = (statement: string) => valueAt(ownerUrl, statement)

  return {
    /** Connects as the role a server runs as. */
    url,
    ownerUrl,
    standbyUrl: addressOf(new URL(url).username, standbyPort),
    standbyOwnerUrl,
    atPrimary,
    atStandby,
    /** The standby goes on receiving, and shows nothing newer. */
    pauseReplay: () => atStandby('select pg_wal_replay_pause()'),
    resumeReplay: () => atStandby('select pg_wal_replay_resume()'),
    /** Waits until the standby shows what the primary has committed. */
    async caughtUp() {
      // The log may have been written up to the middle of a record; this commit writes all of it.
      await atPrimary("select pg_logical_emit_message(true, 'test', 'caught up')")
      const end = await atPrimary('select pg_current_wal_flush_lsn()::text')
      while (!(await atStandby(`select pg_last_wal_replay_lsn() >= '${end}'::pg_lsn`)))
        await pause(5)
    },
    /** What the primary commits from now on is lost when it ends. */
    async stopReceiving() {
      await atStandby("alter system set primary_conninfo = ''")
      await atStandby('select pg_reload_conf()')
      while (await atStandby('select count(*)::int from pg_stat_wal_receiver')) await pause(5)
    },
    /** Ends the primary as a crash does. */
    crashPrimary: async () => void (await pgCtl(primary.bin, primary.folder, place.user)),
    promote: () => atStandby('select pg_promote()'),
    stopStandby: () => stop(standby),
    startStandby: () => start(standby, standbyPort),
    async close() {
      for (const client of clients.values()) await client.end()
      await stop(standby)
      await stop(primary)
      for (const folder of [standby.folder, primary.folder, dataDir])
        await rm(folder, { recursive: true, force: true })
    },
  }
}

const pgCtl = (bin: string, folder: string, user?: { uid: number; gid: number }) =>
  promisify(execFile)(join(bin, 'pg_ctl'), ['stop', '-m', 'immediate', '-D', folder], {
    ...user,
    cwd: folder,
  })
