import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { names, type StoredFile } from '../manifest.ts'
import { majorOf, runProgram } from '../pg-programs.ts'
import { storeFile } from './files.ts'
import type { Snapshot } from './snapshot.ts'

/** The dump, or `undefined` and why there is none. */
type StoredDump = { file?: StoredFile; note?: string }

/**
 * Writes `database.dump` of the same snapshot with pg_dump, where one is on the PATH that is as new as the server.
 * The backup is whole without it: what stops pg_dump is only said.
 */
export async function storeDump(
  url: string,
  { id, postgres }: Pick<Snapshot, 'id' | 'postgres'>,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<StoredDump> {
  const major = await majorOf('pg_dump')
  if (major === undefined) return {}
  if (major < Number.parseInt(postgres, 10))
    return { note: `pg_dump ${major} is older than PostgreSQL ${postgres}: no ${names.dump}.` }
  const { address, password } = withoutPassword(url)
  const args = ['--format=custom', '--no-owner', '--no-privileges', '--no-password']
  const { output, ended } = runProgram(
    'pg_dump',
    [...args, `--snapshot=${id}`, `--dbname=${address}`],
    { env: password === '' ? {} : { PGPASSWORD: password }, signal },
  )
  try {
    const file = await storeFile(folder, names.dump, output, { signal })
    await ended
    return { file }
  } catch (error) {
    signal?.throwIfAborted()
    await rm(join(folder, names.dump), { force: true })
    const reason = await ended.then(
      () => error,
      (failure: unknown) => failure,
    )
    return {
      note: `No ${names.dump}: ${reason instanceof Error ? reason.message : 'pg_dump failed'}`,
    }
  }
}

/** Other users of this machine see the arguments of a process, but not its environment. */
function withoutPassword(url: string) {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  return { address: address.href, password }
}
