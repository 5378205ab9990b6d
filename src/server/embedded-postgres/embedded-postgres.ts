import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import * as z from 'zod/mini'
import type { Log } from '../ports/ports.ts'
import { closeConnection } from '../postgres/connection/close-connection.ts'
import { StartupError } from '../startup-error.ts'
import { type Cluster, initialise, portOf, start, stop } from './cluster.ts'
import { choosePostgresPaths, newFolder } from './postgres-paths.ts'

/** What `postgres.json` holds of the database; readable by its owner alone. */
const StoredCluster = z.object({ folder: z.string(), password: z.string() })
type StoredCluster = z.infer<typeof StoredCluster>

type EmbeddedPostgres = {
  url: string
  /** Where its files are. */
  folder: string
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL with its files under `dataDir`, on a loopback port with a password of its own. One that
 * outlived its server (SIGKILL) is used again; one that crashes later is restarted. Throws `StartupError`
 * when another running server uses the folder.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  { print = () => undefined, log }: { print?: (line: string) => void; log?: Log } = {},
): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { recursive: true })
  const place = await choosePostgresPaths(dataDir)
  const file = join(dataDir, 'postgres.json')
  const { folder, password } = (await readStored(file)) ?? (await createCluster(file, place, print))
  const cluster: Cluster = { ...place, folder: resolve(dataDir, folder) }
  const port = await ensureRunning(cluster)
  const url = urlAt(port, password)
  const hold = await holdServerLock(url, dataDir, async () => {
    if ((await portOf(cluster)) !== undefined) return
    await start(cluster, port)
    log?.warn({}, 'The embedded PostgreSQL had ended, and was started again')
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
 * The database of this `dataDir` for an operator's command: the running one, beside its server, or else
 * one that is started here and stopped by `stop`. Throws `StartupError` when there is none.
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
 * Creates a database in a folder of its own, and stores its path once it is complete. Of two servers that
 * start at once on an empty `DATA_DIR`, the second uses what the first made.
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
  const temporary = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(temporary, JSON.stringify({ folder: place.relative(folder), password }), {
    mode: 0o600,
    flush: true,
  })
  try {
    await link(temporary, file)
    if (place.note) say(`${place.note} It is kept in ${folder}.`)
  } catch {
    await rm(folder, { recursive: true, force: true })
  } finally {
    await rm(temporary)
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
      // Another process may have taken the port or started this database, or the processes of a killed
      // one have not ended yet.
      if (tries >= 20) throw error
      await pause(250)
    }
  }
}

/** An advisory lock: its holder is the only server of this folder. The number is arbitrary. */
const serverLock = 7_662_002

/**
 * Keeps a second server off this folder. The lock belongs to a database connection, so it ends with this
 * process however that ends. When the database itself ends, `revive` starts it again.
 */
async function holdServerLock(url: string, dataDir: string, revive: () => Promise<void>) {
  let released = false
  let holder: pg.Client | undefined
  let reviving: Promise<void> | undefined
  const hold = async () => {
    const client = await lockedClient(url, dataDir)
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
        // The database may still be recovering: the loop tries again after at most five seconds.
      }
    }
  }
  await retryWhileRecovering(hold, revive)
  return {
    async release() {
      released = true
      // A database that is being restarted must run before it can be stopped.
      await reviving
      await closeConnection(holder)
    },
  }
}

/** A connection that holds the lock. Throws `StartupError` when another server holds it. */
async function lockedClient(url: string, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'soma hold',
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock($1) as held',
    [serverLock],
  )
  if (rows[0]?.held) return client
  await client.end()
  throw new StartupError(
    `Another server is running on ${dataDir}. Stop it, or set another DATA_DIR.`,
  )
}

/**
 * After a killed server its database may recover for up to a minute, and frees the lock within two seconds. It may
 * also have been found just before it ended, and must be started.
 */
async function retryWhileRecovering(hold: () => Promise<void>, revive: () => Promise<void>) {
  const began = Date.now()
  for (;;) {
    try {
      return await hold()
    } catch (error) {
      const patience = error instanceof StartupError ? 2_000 : 60_000
      if (Date.now() - began > patience) throw error
      await pause(200)
      // It may not start at once, because the processes of the ended one still run: the loop tries again.
      await revive().catch(() => undefined)
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
