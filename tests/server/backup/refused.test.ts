import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sha256Of } from '#server/backup/checksums.ts'
import { type Manifest, names } from '#server/backup/manifest.ts'
import { openBackup } from '#server/backup/restore/restore.ts'
import { type Backup, writeBackup } from '#server/backup/write/backup.ts'
import { imageFolder } from '#server/photos/image-folder.ts'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { prepareDatabase } from '#server/postgres/role/role.ts'
import { knownMigrations } from '#server/postgres/upgrade/migration-list.ts'
import { allRows } from '../../helpers/database/all-rows.ts'
import { createOldDatabase } from '../../helpers/database/old-database.ts'
import { ask, freshDatabase } from '../../helpers/database/postgres.ts'
import { present } from '../../helpers/present.ts'
import { backupFixture, restored } from './backup-fixture.ts'

/* What is restored, and what is refused before anything changes. */

const made = backupFixture()

const photoName = `${'ab'.repeat(32)}.jpg`
const idName = `${'cd'.repeat(32)}.png`

/** A backup with a public and a private photo: made once, and copied for each test. */
let original: Backup
let removeOriginal = async () => {}
beforeAll(async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  const folder = await mkdtemp(join(tmpdir(), 'soma-backup-'))
  removeOriginal = async () => {
    await rm(folder, { recursive: true })
    await database.drop()
  }
  const url = database.ownerUrl
  const images = join(folder, 'images')
  const store = imageFolder(images)
  await store.put(photoName, new Uint8Array([1, 2, 3]))
  await store.put(idName, new Uint8Array([4, 5]), true)
  await ask(
    url,
    `insert into photos values ('${photoName}', false, true, 3, '', now()), ('${idName}', true, true, 2, '', now())`,
  )
  original = present(await writeBackup({ url, images }, join(folder, 'backup')))
})
afterAll(() => removeOriginal())

async function smallBackup(): Promise<Backup> {
  const folder = join(await made.folder(), 'backup')
  await cp(original.folder, folder, { recursive: true })
  return { ...original, folder }
}

async function filesOf(folder: string): Promise<string[]> {
  const all = await readdir(folder, { withFileTypes: true, recursive: true })
  return all
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
    .sort()
}

/** Changes the manifest as somebody would who also knows its checksum. */
async function changeManifest(folder: string, change: (manifest: Manifest) => unknown) {
  const file = join(folder, names.manifest)
  const manifest: Manifest = JSON.parse(await readFile(file, 'utf8'))
  change(manifest)
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeFile(file, text)
  await writeFile(join(folder, names.manifestSum), `${sha256Of(text)}  ${names.manifest}\n`)
}

test('a backup is for its owner alone, and its checksums are those of sha256sum', async () => {
  const backup = await smallBackup()
  expect((await stat(backup.folder)).mode & 0o777).toBe(0o700)
  const files = await filesOf(backup.folder)
  for (const file of files) expect((await stat(join(backup.folder, file))).mode & 0o777).toBe(0o600)
  const sums = await readFile(join(backup.folder, names.photoSums), 'utf8')
  const inPhotos = [`photos/ab/${photoName}`, `photos/private/cd/${idName}`]
  expect(
    sums
      .trim()
      .split('\n')
      .map((line) => line.split('  ')[1]),
  ).toEqual(inPhotos)
  expect(files).toEqual(
    [
      ...inPhotos,
      ...backup.manifest.files.map(({ path }) => path),
      names.manifest,
      names.manifestSum,
    ].sort(),
  )
})

test('a changed bit or a missing file anywhere in a backup is found before anything is restored', async () => {
  const backup = await smallBackup()
  const { folder } = backup
  await openBackup(folder)
  for (const path of await filesOf(folder)) {
    const file = join(folder, path)
    const bytes = await readFile(file)
    const changed = Buffer.from(bytes)
    const middle = Math.floor(changed.length / 2)
    changed[middle] = (changed[middle] ?? 0) ^ 1
    await writeFile(file, changed)
    await expect(openBackup(folder), path).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(/^The backup is damaged: [^\n]+$/),
    })
    await rm(file)
    await expect(openBackup(folder), path).rejects.toThrow(/damaged|holds no backup/)
    await writeFile(file, bytes)
  }
  await openBackup(folder)
})

test('a list of photos that lost a line, and a table without a checksum, are found', async () => {
  const backup = await smallBackup()
  const { folder } = backup
  const file = join(folder, names.photoSums)
  const text = await readFile(file, 'utf8')
  const shorter = `${text.split('\n')[0]}\n`
  await writeFile(file, shorter)
  await changeManifest(folder, ({ files }) => {
    present(files.find(({ path }) => path === names.photoSums)).sha256 = sha256Of(shorter)
  })
  await expect(openBackup(folder)).rejects.toThrow('does not list every photo')
  await changeManifest(folder, (manifest) => {
    manifest.files = manifest.files.filter(({ path }) => path !== 'tables/users.copy.gz')
  })
  await expect(openBackup(folder)).rejects.toThrow('tables/users.copy.gz has no checksum')
})

test('the backup of a newer version is refused: by its format, and by its migrations', async () => {
  const newer =
    /^This backup was made by a newer version of Soma \(9\.9\.9\)\. Restore it with that version\.$/
  const backup = await smallBackup()
  await changeManifest(backup.folder, (manifest) => {
    manifest.version = '9.9.9'
    manifest.migrations.push({ id: 9_999_999_999_999, hash: 'ab' })
  })
  await expect(openBackup(backup.folder)).rejects.toThrow(newer)
  await changeManifest(backup.folder, (manifest) => {
    manifest.migrations.pop()
    manifest.format = 2
  })
  await expect(openBackup(backup.folder)).rejects.toThrow(newer)
})

test('a folder that holds something else is no backup', async () => {
  await expect(openBackup(await made.folder())).rejects.toThrow(/holds no backup\.$/)
})

test('a restore that fails at its end leaves the database as it was', async () => {
  const backup = await smallBackup()
  await changeManifest(backup.folder, ({ tables }) => {
    const last = present(tables.at(-1))
    last.rows++
  })
  const target = await made.database()
  await ask(target.ownerUrl, `insert into settings values ('kept', 'yes')`)
  const before = await allRows(target.ownerUrl)
  await expect(restored(backup, { url: target.ownerUrl }, { replaces: true })).rejects.toThrow(
    /has 0 rows and the backup counted 1/,
  )
  expect(await allRows(target.ownerUrl)).toEqual(before)
  const ended = AbortSignal.abort()
  await expect(
    restored(backup, { url: target.ownerUrl }, { replaces: true, signal: ended }),
  ).rejects.toThrow()
  expect(await allRows(target.ownerUrl)).toEqual(before)
})

test('a restore is refused while a server is connected, and into a database of a newer version', async () => {
  const backup = await smallBackup()
  const target = await made.database()
  const repo = openPostgres(target.url)
  await repo.ping()
  await expect(restored(backup, { url: target.ownerUrl }, { replaces: true })).rejects.toThrow(
    'A server runs on this database. Stop every process of it first.',
  )
  await repo.close()
  await ask(
    target.ownerUrl,
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 9999999999999)`,
  )
  await expect(restored(backup, { url: target.ownerUrl }, { replaces: true })).rejects.toThrow(
    /newer version/,
  )
  const folder = join(await made.folder(), 'backup')
  await expect(writeBackup({ url: target.ownerUrl }, folder)).rejects.toThrow(/newer version/)
})

test('a backup of the tables of version 1.2 is restored beside tables of others, and brought up to date', async () => {
  const old = await made.emptyDatabase()
  await createOldDatabase(old)
  const backup = await made.backup({ url: old })
  expect(backup.manifest.migrations).toHaveLength(6)
  // Where it found pg_dump, that version wrote the rows once more.
  const dump = { path: 'database.dump', bytes: 4, sha256: sha256Of('dump') }
  await writeFile(join(backup.folder, dump.path), 'dump')
  await changeManifest(backup.folder, ({ files }) => files.push(dump))
  const url = await made.emptyDatabase()
  await ask(url, 'create table others as select 1 as one')
  await restored(backup, { url })
  await prepareDatabase(old)
  // What a migration counts from the moment it runs differs.
  const withoutTimes = (rows: string[] = []) =>
    rows.map((row) => row.replaceAll(/"?\d{4}-\d\d-\d\d[ T][\d:.]+(\+00)?Z?"?/g, 'time')).sort()
  const [expected, found] = [await allRows(old), await allRows(url)]
  for (const table of Object.keys(expected))
    if (table !== 'sessions')
      expect(withoutTimes(found[table]), table).toEqual(withoutTimes(expected[table]))
  expect(found.others).toEqual(['(1)'])
  expect(found.sessions).toHaveLength(present(expected.sessions).length)
  expect(knownMigrations().length).toBeGreaterThan(6)
})
