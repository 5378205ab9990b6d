import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeBackup } from '#server/backup/write/backup.ts'
import { imageFolder } from '#server/photos/image-folder.ts'
import { ask } from '../../helpers/database/postgres.ts'
import { present } from '../../helpers/present.ts'
import { backupFixture, restored } from './backup-fixture.ts'

const made = backupFixture()

const nameOf = (letter: string) => `${letter.repeat(64)}.jpg`
const bytesOf = (text: string) => new TextEncoder().encode(text)

async function source() {
  const { ownerUrl: url } = await made.database()
  const images = await made.folder()
  const store = imageFolder(images)
  const add = async (letter: string, { isPrivate = false, isUsed = true } = {}) => {
    await store.put(nameOf(letter), bytesOf(`photo ${letter}`), isPrivate)
    await ask(
      url,
      `insert into photos values ('${nameOf(letter)}', ${isPrivate}, ${isUsed}, 7, '', now())`,
    )
  }
  return { url, images, store, add }
}

test('the photos that the database names come back as they were, private ones private; others are left', async () => {
  const { url, images, store, add } = await source()
  await add('a')
  await add('b', { isPrivate: true })
  await add('c', { isUsed: false })
  await store.put(nameOf('d'), bytesOf('named by nobody'))
  const backup = await made.backup({ url, images })
  expect(backup.manifest.photos).toEqual({ kept: 'here', count: 3, bytes: 21, missing: 0 })

  const target = await made.folder()
  const there = imageFolder(target)
  await restored(backup, { url: await made.emptyDatabase(), images: there })
  const text = async (letter: string, isPrivate: boolean) => {
    const found = await there.open(nameOf(letter), isPrivate)
    return found && new Response(found.stream()).text()
  }
  expect(await text('a', false)).toBe('photo a')
  expect(await text('b', true)).toBe('photo b')
  expect(await text('b', false)).toBeUndefined()
  expect(await text('c', false)).toBe('photo c')
  expect(await text('d', false)).toBeUndefined()
}, 60_000)

test('a photo that is gone is counted; one that is there takes no room on the disk of the images, and is whole after its image is deleted', async () => {
  const { url, images, store, add } = await source()
  for (const letter of ['a', 'b']) await add(letter)
  await store.remove(nameOf('a'))
  const backup = await made.backup({ url, images })
  expect(backup.manifest.photos).toMatchObject({ count: 1, missing: 1 })
  expect(backup.notes).toContain('Photos that the database names and that are not there: 1.')
  const file = join(backup.folder, 'photos/bb', nameOf('b'))
  expect(statSync(file).ino).toBe(statSync(join(images, 'bb', nameOf('b'))).ino)
  await store.remove(nameOf('b'))
  expect(await readFile(file, 'utf8')).toBe('photo b')
  // Where another service keeps the photos, the manifest says so.
  const elsewhere = await made.backup({ url })
  expect(elsewhere.manifest.photos).toEqual({ kept: 'elsewhere', count: 0, bytes: 0, missing: 0 })
}, 60_000)

const otherDisk = '/dev/shm'
const hasOtherDisk = existsSync(otherDisk) && statSync(otherDisk).dev !== statSync('/tmp').dev

test.skipIf(!hasOtherDisk)(
  'on another disk a photo is copied once, and linked to the backup before unless that one is damaged',
  async () => {
    const { url, images, add } = await source()
    for (const letter of ['a', 'b']) await add(letter)
    const parent = await mkdtemp(join(otherDisk, 'soma-backup-'))
    made.atEnd(() => rm(parent, { recursive: true, force: true }))
    const write = async (name: string, earlier?: string) =>
      present(await writeBackup({ url, images }, join(parent, name), { earlier })).folder
    const inode = async (folder: string, letter: string) =>
      (await stat(join(folder, 'photos', letter.repeat(2), nameOf(letter)))).ino
    const first = await write('first')
    await writeFile(join(first, 'photos/bb', nameOf('b')), 'photo x')
    const second = await write('second', first)
    expect(await inode(second, 'a')).toBe(await inode(first, 'a'))
    expect(await readFile(join(second, 'photos/bb', nameOf('b')), 'utf8')).toBe('photo b')
    expect((await stat(join(second, 'photos/bb', nameOf('b')))).mode & 0o777).toBe(0o600)
  },
  60_000,
)
