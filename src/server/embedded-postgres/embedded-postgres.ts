import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import * as z from 'zod/mini'
import { StartupError } from '../node/startup/startup-error.ts'
import { closeConnection } from '../postgres/connection/close-connection.ts'
import { type Cluster, initialise, portOf, start, stop } from './cluster.ts'
import { choosePostgresPaths, newFolder } from './postgres-paths.ts'

/** What is remembered of the database beside its data, readable by its owner alone. */
const StoredCluster = z.object({ folder: z.string(), password: z.string() })
type StoredCluster = z.infer<typeof StoredCluster>

export type EmbeddedPostgres = {
  url: string
  /** Where its files are. */
  folder: string
  stop(): Promise<void>
}

/**
 * The real PostgreSQL, its files under `dataDir`, on a loopback port with a password of its own. One
 * that outlived its server (SIGKILL) is adopted; one that crashes later is started again.
 * Throws `Fatal` when another live server holds the folder.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  print: (line: string) => void = () => undefined,
): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { recursive: true })
  const place = await choosePostgresPaths(dataDir)
  const file = join(dataDir, 'postgres.json')
  const { folder, password } = (await readStored(file)) ?? (await createCluster(file, place, print))
  const cluster: Cluster = { ...place, folder: resolve(dataDir, folder) }
  const port = await ensureRunning(cluster)
  const url = urlAt(port, password)
  const hold = await holdServerLock(url, dataDir, async () => {
    if ((await portOf(cluster)) === undefined) await start(cluster, port)
  })
  return {
    url,
    folder: cluster.folder,
    async stop() {
      await hold.release()
      await stop(cluster)
    },
  }
}

/**
 * The database of this `dataDir` for a command of the operator's: the one that runs, beside the server
 * that holds it, or else started here and stopped by `stop`. Throws `Fatal` when there is none.
 */
export async function openEmbeddedPostgres(
  dataDir: string,
): Promise<Pick<EmbeddedPostgres, 'url' | 'stop'>> {
  const known = await readStored(join(dataDir, 'postgres.json'))
  if (!known)
    throw new StartupError(`There is no database in ${dataDir}. Start the server there first.`)
  const cluster: Cluster = {
    ...(await choosePostgresPaths(dataDir)),
    folder: resolve(dataDir, known.folder),
  }
  const port = await portOf(cluster)
  if (port === undefined) return startEmbeddedPostgres(dataDir)
  return { url: urlAt(port, known.password), stop: async () => undefined }
}

const urlAt = (port: number, password: string) =>
  `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`

/**
 * A new database in a folder of its own; only when it is whole is it remembered. Of two servers that
 * start at once on an empty `DATA_DIR` the second takes what the first made.
 */
async function createCluster(
  file: string,
  place: Awaited<ReturnType<typeof choosePostgresPaths>>,
  say: (line: string) => void,
): Promise<StoredCluster> {
  const folder = await newFolder(place)
  const password = randomBytes(24).toString('base64url')
  await initialise({ ...place, folder: resolve(folder) }, password).catch(
    async (error: unknown) => {
      await rm(folder, { recursive: true, force: true })
      throw error
    },
  )
  const half = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(half, JSON.stringify({ folder: place.relative(folder), password }), {
    mode: 0o600,
    flush: true,
  })
  try {
    await link(half, file)
    if (place.note) say(`${place.note} It is kept in ${folder}.`)
  } catch {
    await rm(folder, { recursive: true, force: true })
  } finally {
    await rm(half)
  }
  const remembered = await readStored(file)
  if (!remembered) throw new StartupError(`${file} could not be written.`)
  return remembered
}

/** The port of the running database, which is started if it is not. */
async function ensureRunning(cluster: Cluster): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = await portOf(cluster)
    if (port !== undefined) return port
    try {
      await start(cluster, await freePort())
    } catch (error) {
      // Somebody may have taken the port, or started this very database, in between; or the
      // children of one that was killed are still on their way out.
      if (tries >= 20) throw error
      await pause(250)
    }
  }
}

/** Any number will do that nobody else uses: who holds it is the one live server of this folder. */
const serverLock = 7_662_002

/**
 * Holds this folder against a second server for as long as we live: the lock is the database's, so it
 * goes when we go, however that happens. When the database itself goes, it is brought back.
 */
async function holdServerLock(url: string, dataDir: string, revive: () => Promise<void>) {
  let released = false
  let holder: pg.Client | undefined
  let reviving: Promise<void> | undefined
  const hold = async () => {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'soma hold',
      connectionTimeoutMillis: 10_000,
    })
    client.on('error', () => undefined)
    await client.connect()
    const asked = 'select pg_try_advisory_lock($1) as held'
    const { rows } = await client.query<{ held: boolean }>(asked, [serverLock])
    if (!rows[0]?.held) {
      await client.end()
      throw new StartupError(
        `Another server is running on ${dataDir}. Stop it, or set another DATA_DIR.`,
      )
    }
    client.once('end', () => {
      reviving = holdAgain()
    })
    holder = client
  }
  const holdAgain = async () => {
    for (let wait = 200; !released; wait = Math.min(wait * 2, 5_000)) {
      await pause(wait)
      if (released) return
      try {
        await revive()
        return await hold()
      } catch {
        // It may still be recovering; asked again shortly.
      }
    }
  }
  await retryWhileRecovering(hold)
  return {
    async release() {
      released = true
      // One that is just being brought back must be up before it can be stopped.
      await reviving
      await closeConnection(holder)
    },
  }
}

/** A database just left by a killed server may be recovering (up to a minute), and frees its lock within two seconds. */
async function retryWhileRecovering(hold: () => Promise<void>) {
  const began = Date.now()
  for (;;) {
    try {
      return await hold()
    } catch (error) {
      const patience = error instanceof StartupError ? 2_000 : 60_000
      if (Date.now() - began > patience) throw error
      await pause(200)
    }
  }
}

async function readStored(file: string): Promise<StoredCluster | undefined> {
  try {
    return StoredCluster.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new StartupError(`${file} cannot be read, and without it the database cannot be opened.`)
  }
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer()
    probe.once('error', failed)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
