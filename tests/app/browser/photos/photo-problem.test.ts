import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { photoProblem } from '#app/browser/photos/photo-problem.ts'

const unreadable = 'That photo could not be read. Download it to this phone first, then choose it.'
const heic = 'This browser cannot open HEIC photos. Tap “Take photo”, or choose a JPEG.'
const noPhoto = 'That file is not a photo we can use.'

test.each([
  ['a text', 'not a picture', noPhoto],
  ['a text of one letter', 'a', noPhoto],
  ['a film', '\0\0\0\x20ftypisom\0\0\x02\0', noPhoto],
  ['a photo of an iPhone', '\0\0\0\x24ftypheic\0\0\0\0mif1', heic],
  ['one of a Galaxy', '\0\0\0\x1cftypmif1\0\0\0\0', heic],
  ['an empty file', '', unreadable],
])(
  '%s that the browser cannot decode is refused in words, whatever its type',
  async (_, bytes, text) => {
    for (const type of ['', 'image/jpeg']) {
      expect(await photoProblem(new Blob([bytes], { type }))).toBe(text)
    }
  },
)

test('a file that is no longer where it was chosen is said to be unreadable', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'soma-photo-'))
  const path = join(folder, 'photo')
  await writeFile(path, 'not a picture')
  const file = await openAsBlob(path)
  await rm(folder, { recursive: true })
  expect(await photoProblem(file)).toBe(unreadable)
})
