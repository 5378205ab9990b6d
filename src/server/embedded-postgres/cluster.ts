import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import type { PostgresPaths } from './postgres-paths.ts'

/** The files of a database, PostgreSQL's programs, and the user who runs them. */
export type Cluster = Pick<PostgresPaths, 'bin' | 'user'> & { folder: string }

/** Creates an empty database that asks for this password (SCRAM). */
export async function initialise(cluster: Cluster, password: string): Promise<void> {
  // npm may have unpacked them without the execute permission.
  for (const name of ['initdb', 'pg_ctl', 'postgres'])
    await chmod(join(cluster.bin, name), 0o755).catch(() => undefined)
  const secret = join(tmpdir(), `soma-${randomBytes(8).toString('hex')}`)
  try {
    await writeFile(secret, `${password}\n`, { mode: 0o600 })
    if (cluster.user) await chown(secret, cluster.user.uid, cluster.user.gid)
    await runOrThrow(cluster, 'initdb', [
      '--pgdata',
      cluster.folder,
      '--username',
      'postgres',
      '--pwfile',
      secret,
      '--auth',
      'scram-sha-256',
      '--encoding',
      'UTF8',
      '--no-instructions',
      // The built-in locale folds case of every alphabet and needs no locale of the machine.
      '--locale-provider',
      'builtin',
      '--builtin-locale',
      'C.UTF-8',
      '--locale',
      'C',
    ])
  } finally {
    await rm(secret, { force: true })
  }
}

/** Starts the database in a session of its own: a Ctrl-C for the server must not stop it first. */
export async function start(cluster: Cluster, port: number): Promise<void> {
  const settings = [
    `-p ${port} -h 127.0.0.1 -k ''`,
    '-c max_connections=100 -c timezone=UTC -c log_timezone=UTC',
    // PostgreSQL's log of a failed statement may hold personal data.
    '-c log_min_messages=fatal -c log_min_error_statement=panic -c log_checkpoints=off',
  ]
  const log = join(cluster.folder, 'soma.log')
  const args = ['start', '--wait', '--timeout=60', '-D', cluster.folder, '-l', log]
  await runOrThrow(cluster, 'pg_ctl', [...args, '-o', settings.join(' ')])
}

/** The port of the database that runs on these files; `undefined` when none does. */
export async function portOf(cluster: Cluster): Promise<number | undefined> {
  const { code } = await run(cluster, 'pg_ctl', ['status', '-D', cluster.folder])
  if (code !== 0) return undefined
  const file = join(cluster.folder, 'postmaster.pid')
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  if (await isZombie(lines[0] ?? '')) {
    // Only the process ID is replaced: by the rest PostgreSQL finds shared memory that is still in use.
    await writeFile(file, [unusedProcessId, ...lines.slice(1)].join('\n'))
    return undefined
  }
  const port = Number(lines[3])
  return port > 0 ? port : undefined
}

/** Above any process ID. */
const unusedProcessId = '2147483646'

/**
 * Whether the process has ended but its parent has not collected it. In a container without an init
 * process it stays so, and `pg_ctl` and PostgreSQL would take it for running.
 */
async function isZombie(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat
    .slice(stat.lastIndexOf(')') + 1)
    .trim()
    .startsWith('Z')
}

/** Stops the database and waits for its end. */
export async function stop(cluster: Cluster): Promise<void> {
  const args = ['stop', '--wait', '--timeout=60', '-m', 'fast', '-D', cluster.folder]
  await run(cluster, 'pg_ctl', args)
}

async function runOrThrow(cluster: Cluster, name: string, args: string[]) {
  const { code, output } = await run(cluster, name, args)
  if (code === 0) return
  const last = output.trim().split('\n').slice(-3).join(' ')
  throw new StartupError(`The embedded PostgreSQL could not be started (${name}: ${last || code}).`)
}

function run(
  { bin, folder, user }: Cluster,
  name: string,
  args: string[],
): Promise<{ code: number | null; output: string }> {
  return new Promise((done) => {
    const child = spawn(join(bin, name), args, {
      ...user,
      // A folder that this user may enter.
      cwd: folder,
      detached: true,
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('error', (error) => done({ code: -1, output: error.message }))
    child.once('close', (code) => done({ code, output }))
  })
}
