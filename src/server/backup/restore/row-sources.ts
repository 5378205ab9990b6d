import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { StartupError } from '../../node/startup/startup-error.ts'
import { type Manifest, names, type StoredTable } from '../manifest.ts'
import { majorOf, runProgram } from '../pg-programs.ts'

/** The rows of one table as COPY reads them. `streams` are to be piped one into the next. */
type Rows = {
  columns: string[]
  streams: [Readable, ...Transform[]]
  /** Rejects when the source failed; await it after the last stream has ended. */
  ended: Promise<void>
}

/** Reads the rows of a table. `left`: columns that the database gives new values (`xid8`). */
export type RowSource = (table: StoredTable, left: string[]) => Promise<Rows>

/** The rows of `tables/*.copy.gz`. */
export const copyFiles =
  (folder: string): RowSource =>
  async ({ columns, file }) => ({
    columns,
    streams: [createReadStream(join(folder, file)), createGunzip()],
    ended: Promise.resolve(),
  })

/** The rows of `database.dump`, which pg_restore reads. Throws `StartupError` when the dump or pg_restore is not there. */
export async function dumpFile(folder: string, manifest: Manifest): Promise<RowSource> {
  if (!manifest.files.some(({ path }) => path === names.dump))
    throw new StartupError(`This backup has no ${names.dump}. Restore it without --from-dump.`)
  if ((await majorOf('pg_restore')) === undefined)
    throw new StartupError('pg_restore is not on the PATH. Restore without --from-dump.')
  return async ({ name }, left) => {
    const args = ['--data-only', '--file=-', '--schema=public', `--table=${name}`]
    const { output, ended } = runProgram('pg_restore', [...args, join(folder, names.dump)])
    const script = copyBlock()
    output.on('error', (error) => script.stream.destroy(error))
    output.pipe(script.stream)
    const columns = await Promise.race([script.columns, ended.then(() => script.columns)])
    const kept = columns.filter((column) => !left.includes(column))
    return {
      columns: kept,
      streams: [script.stream, keepColumns(columns, kept)],
      ended,
    }
  }
}

/** The header of a table's rows in a script of pg_restore, and the line that ends them. */
const header = /^COPY \S+ \((.*)\) FROM stdin;$/
const end = '\\.'

/** Takes the rows, and the names of their columns, out of a script of pg_restore. */
function copyBlock() {
  let found: (columns: string[]) => void = () => undefined
  let failed: (error: Error) => void = () => undefined
  const columns = new Promise<string[]>((resolve, reject) => {
    found = resolve
    failed = reject
  })
  columns.catch(() => undefined)
  let state: 'before' | 'rows' | 'after' = 'before'
  const stream = byLines(
    (line) => {
      if (state === 'rows' && line !== end) return line
      if (state === 'rows') state = 'after'
      const [, names] = (state === 'before' && header.exec(line)) || []
      if (names === undefined) return undefined
      state = 'rows'
      found(names.split(', ').map((column) => column.replaceAll('"', '')))
      return undefined
    },
    () => {
      if (state === 'after') return
      const error = new Error('pg_restore printed no rows of this table')
      failed(error)
      return error
    },
  )
  return { stream, columns }
}

/** Leaves out the columns that are not kept. COPY separates values by tabs, and writes none inside a value. */
function keepColumns(all: string[], kept: string[]): Transform {
  if (all.length === kept.length) return new PassThrough()
  const places = kept.map((column) => all.indexOf(column))
  return byLines((line) => {
    const values = line.split('\t')
    return places.map((place) => values[place]).join('\t')
  })
}

/** Changes a stream line by line; `undefined` leaves a line out. One byte is one character: texts pass unchanged. */
function byLines(
  change: (line: string) => string | undefined,
  finish: () => Error | undefined = () => undefined,
): Transform {
  let rest = ''
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      let changed = ''
      for (const line of lines) {
        const kept = change(line)
        if (kept !== undefined) changed += `${kept}\n`
      }
      done(null, Buffer.from(changed, 'latin1'))
    },
    flush: (done) => done(finish()),
  })
}
