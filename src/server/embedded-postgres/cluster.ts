import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '../node/startup/startup-error.ts'
import type { PostgresPaths } from './postgres-paths.ts'

/** A database's files, the programs for them, and who runs these. */
export type Cluster = Pick<PostgresPaths, 'bin' | 'user'> & { folder: string }

/** Makes an empty database that asks everyone for this password, and asks it over the wire safely. */
export async function initialise(cluster: Cluster, password: string): Promise<void> {
  // npm may have unpacked them without the right to run.
  for (const name of ['initdb', 'pg_ctl', 'postgres'])
    await chmod(join(cluster.bin, name), 0o755).catch(() => undefined)
  const secret = join(tmpdir(), `soma-${randomBytes(8).toString('hex')}`)
  try {
    await writeFile(secret, `${password}\n`, { mode: 0o600 })
    if (cluster.user) await chown(secret, cluster.user.uid, cluster.user.gid)
    await runOrThrow(cluster, 'initdb', [
      ...['--pgdata', cluster.folder, '--username', 'postgres', '--pwfile', secret],
      ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-instructions'],
      // Folds case of every alphabet, and needs no locale of the machine.
      ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
    ])
  } finally {
    await rm(secret, { force: true })
  }
}

/** Starts it in a session of its own: a Ctrl-C meant for us must not reach it before we are done with it. */
export async function start(cluster: Cluster, port: number): Promise<void> {
  const settings = [
    `-p ${port} -h 127.0.0.1 -k ''`,
    '-c max_connections=100 -c timezone=UTC -c log_timezone=UTC',
    // What it would say of a refused statement may name a person.
    '-c log_min_messages=fatal -c log_min_error_statement=panic -c log_checkpoints=off',
  ]
  const log = join(cluster.folder, 'soma.log')
  const args = ['start', '--wait', '--timeout=60', '-D', cluster.folder, '-l', log]
  await runOrThrow(cluster, 'pg_ctl', [...args, '-o', settings.join(' ')])
}

/** The port of the database that runs on these files, if one does. */
export async function portOf(cluster: Cluster): Promise<number | undefined> {
  const { code } = await run(cluster, 'pg_ctl', ['status', '-D', cluster.folder])
  if (code !== 0) return undefined
  const file = join(cluster.folder, 'postmaster.pid')
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  if (await isZombie(lines[0] ?? '')) {
    // Only the number: the rest tells PostgreSQL whether the dead one's children still hold its memory.
    await writeFile(file, [neverAProcess, ...lines.slice(1)].join('\n'))
    return undefined
  }
  const port = Number(lines[3])
  return port > 0 ? port : undefined
}

/** Above any number a process can have. */
const neverAProcess = '2147483646'

/**
 * Dead, but not yet buried by its parent: in a container where nobody does that it stays so, and
 * both `pg_ctl` and PostgreSQL would take it for alive for ever.
 */
async function isZombie(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat
    .slice(stat.lastIndexOf(')') + 1)
    .trim()
    .startsWith('Z')
}

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
      // Where it stands must be somewhere it may be.
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
