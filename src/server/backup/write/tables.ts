import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { StoredFile, StoredTable } from '../manifest.ts'
import { storeFile } from './files.ts'
import type { Snapshot } from './snapshot.ts'

/** A fast level: with the usual one, compressing takes longer than reading the database. */
const level = 3

/** Writes the rows of every table below `tables/`, one table after another. */
export async function storeTables(
  { client, tables }: Pick<Snapshot, 'client' | 'tables'>,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<{ tables: StoredTable[]; files: StoredFile[] }> {
  const stored: StoredTable[] = []
  const files: StoredFile[] = []
  for (const { name, columns } of tables) {
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
    const rows = client.query(
      copyTo(`copy (select ${list} from public.${pg.escapeIdentifier(name)}) to stdout`),
    )
    const path = `tables/${name}.copy.gz`
    files.push(await storeFile(folder, path, rows, { through: [createGzip({ level })], signal }))
    stored.push({ name, columns, rows: rows.rowCount, file: path })
  }
  return { tables: stored, files }
}
