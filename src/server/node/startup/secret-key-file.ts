import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../startup-error.ts'

/**
 * The key in DATA_DIR/secret.key, 32 bytes in hex. It is made at the first start, readable by its owner
 * alone; several servers that start at once get the same one. `hasKey`: whether the database was made with
 * a key. Throws `StartupError` when the file holds something else, or is lost.
 */
export async function loadSecretKey(
  dataDir: string,
  hasKey: () => Promise<boolean>,
): Promise<string> {
  const file = join(dataDir, 'secret.key')
  const found = await read(file)
  if (found !== undefined) return found
  if (await hasKey())
    throw new StartupError(
      `The secret key of this database is missing: put it back into ${file}, or set SECRET_KEY.`,
    )
  await mkdir(dataDir, { recursive: true })
  const temporary = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(temporary, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    // A link fails when the file exists; a rename would replace it.
    await link(temporary, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(temporary)
  }
  const key = await read(file)
  if (key === undefined) throw new StartupError(`${file} could not be written.`)
  return key
}

async function read(file: string): Promise<string | undefined> {
  let text: string
  try {
    text = (await readFile(file, 'utf8')).trim().toLowerCase()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw new StartupError(`${file} cannot be read.`)
  }
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new StartupError(`${file} must hold 64 hex digits, and nothing else.`)
  return text
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code
