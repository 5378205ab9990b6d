import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { product } from '#domain/product.ts'
import { StartupError } from '../startup-error.ts'
import { sha256Of } from './checksums.ts'

/*
 * A backup is a folder:
 *
 *   manifest.json      what is in it, with the size and checksum of each file
 *   manifest.sha256    the checksum of manifest.json
 *   tables/*.copy.gz   the rows of each table, as PostgreSQL's COPY writes them, compressed
 *   photos/            the photos, as they lie in DATA_DIR/images
 *   photos.sha256      the checksum of each photo
 *
 * Both `.sha256` files are read by `sha256sum -c` too. Photos have a list of their own because they are many: it is read
 * line by line. Earlier versions also wrote `database.dump`, by pg_dump: a file with a checksum like others, which nothing reads.
 */

/** Raised when an earlier version of the product could no longer read a backup. */
export const formatVersion = 1

const StoredFile = z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })
/** A file of a backup. `path` is relative to its folder. */
export type StoredFile = z.infer<typeof StoredFile>

const StoredTable = z.object({
  name: z.string().check(z.regex(/^\w+$/)),
  /** In the order of the file. Generated columns and transaction numbers are not in a backup. */
  columns: z.array(z.string()),
  rows: z.number(),
  file: z.string().check(z.regex(/^tables\/\w+\.copy\.gz$/)),
})
export type StoredTable = z.infer<typeof StoredTable>

const Manifest = z.object({
  product: z.literal(product),
  format: z.number(),
  /** The version of the program that wrote it. */
  version: z.string(),
  /** The time of its snapshot, ISO 8601. */
  at: z.string(),
  /** Written by a running server: the newest 14 of these are kept. */
  isDaily: z.boolean(),
  /** PostgreSQL's version. Nothing reads the incarnation, but earlier versions restore no backup without the property. */
  database: z.object({ postgres: z.string(), incarnation: z.nullable(z.string()) }),
  migrations: z.array(z.object({ id: z.number(), hash: z.string() })),
  tables: z.array(StoredTable),
  photos: z.object({
    /** `elsewhere`: another service keeps them, and none is in the backup. */
    kept: z.enum(['here', 'elsewhere']),
    count: z.number(),
    bytes: z.number(),
    /** Photos that the database names and the folder of images did not hold. */
    missing: z.number(),
  }),
  /** Every file but photos and the manifest. */
  files: z.array(StoredFile),
})
export type Manifest = z.infer<typeof Manifest>

export const names = {
  manifest: 'manifest.json',
  manifestSum: 'manifest.sha256',
  photoSums: 'photos.sha256',
} as const

/** Writes the manifest and its checksum into the folder of a backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  const options = { mode: 0o600, flag: 'wx', flush: true }
  await writeFile(join(folder, names.manifest), text, options)
  const line = `${sha256Of(text)}  ${names.manifest}\n`
  await writeFile(join(folder, names.manifestSum), line, options)
}

/** Reads the manifest of a backup. Throws `StartupError` when there is none, or it is damaged or of a newer version. */
export async function readManifest(folder: string): Promise<Manifest> {
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => undefined)
  const text = await read(names.manifest)
  if (text === undefined) throw new StartupError(`${folder} holds no backup.`)
  const sum = await read(names.manifestSum)
  if (sum !== `${sha256Of(text)}  ${names.manifest}\n`)
    throw new StartupError(`The backup is damaged: ${names.manifest} is not as it was written.`)
  const parsed: { format?: unknown; version?: unknown } = JSON.parse(text)
  if (typeof parsed.format === 'number' && parsed.format > formatVersion)
    throw new StartupError(
      `This backup was made by a newer version of ${product} (${parsed.version}). Restore it with that version.`,
    )
  const manifest = Manifest.safeParse(parsed)
  if (!manifest.success) throw new StartupError(`${folder} holds no backup of ${product}.`)
  return manifest.data
}
