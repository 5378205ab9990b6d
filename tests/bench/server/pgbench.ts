import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import { hasProgram } from '../../helpers/programs.ts'
import { clients } from './loaded-server.ts'

/** The program: Debian keeps it in the folder of its PostgreSQL. */
function findPgbench(): string {
  const folders = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const found = folders
    .map((version) => join('/usr/lib/postgresql', version, 'bin/pgbench'))
    .find(existsSync)
  if (found) return found
  if (hasProgram('pgbench')) return 'pgbench'
  throw new Error('pgbench is missing: it is in the Debian package postgresql')
}

/** Runs a script of recorded statements with as many clients. Returns scripts done each second. */
export async function runPgbench(
  { host, port, user, password, database }: pg.ClientConfig,
  script: string,
  seconds: number,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'soma-pgbench-'))
  const file = join(folder, 'script.sql')
  writeFileSync(file, script)
  const args = ['-n', '-M', 'prepared', '-c', `${clients}`, '-j', '2', '-T', `${seconds}`]
  const child = spawn(
    findPgbench(),
    [...args, '-D', 'turn=-1', '-f', file, '-h', `${host}`, '-p', `${port}`, '-U', `${user}`],
    { env: { ...process.env, PGPASSWORD: `${password}`, PGDATABASE: database ?? 'postgres' } },
  )
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  rmSync(folder, { recursive: true })
  const rate = /tps = ([\d.]+)/.exec(output)?.[1]
  if (!rate || /aborted|ERROR/.test(errors)) throw new Error(`pgbench failed:\n${errors}`)
  return Number(rate)
}
