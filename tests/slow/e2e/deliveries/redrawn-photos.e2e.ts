import { expect, type Page } from '@playwright/test'
import { toast } from '../../../e2e/helpers/page/page-actions.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* A photo's metadata do not leave the phone. */

const fixture = serverFixture()
const place = 'GPS 5.6037N 0.1870W'

/** A square JPEG with this side in pixels and a position in its metadata. */
async function cameraPhoto(page: Page, side: number, quality: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    ([size, share]) => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: size, height: size })
      const brush = canvas.getContext('2d')
      for (let line = 0; line < size; line += 8) brush?.fillRect(line, line % 37, 4, size)
      return canvas.toDataURL('image/jpeg', share).split(',')[1] ?? ''
    },
    [side, quality] as const,
  )
  const jpeg = Buffer.from(base64, 'base64')
  const note = Buffer.from(`Exif\0\0${place}`, 'latin1')
  const segment = Buffer.alloc(4)
  segment.writeUInt16BE(0xffe1, 0)
  segment.writeUInt16BE(note.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), segment, note, jpeg.subarray(2)])
}

/** The bytes of every photo in this phone's database, as text. */
const photosKept = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const asked = indexedDB.open('soma')
        asked.onsuccess = () => {
          const all = asked.result.transaction('photos').objectStore('photos').getAll()
          all.onsuccess = () => {
            asked.result.close()
            resolve(all.result.map(({ bytes }) => new TextDecoder('latin1').decode(bytes)))
          }
        }
      }),
  )

async function choose(page: Page, buffer: Buffer, mimeType = 'image/jpeg') {
  const file = { name: 'photo', mimeType, buffer }
  await page.getByLabel('Item photo: Choose photo').setInputFiles(file)
}

test('A photo of any size is stored without metadata, and a file that cannot be drawn is refused with a message', async ({
  page,
}) => {
  await page.goto(`${fixture().origin}/send`)
  const known: string[] = []
  /** Photos that this phone has stored since the last look; the one before stays for a while. */
  const added = async () => (await photosKept(page)).filter((each) => !known.includes(each))
  // The smallest file does not become smaller by redrawing.
  for (const [side, quality, type] of [
    [2400, 0.9, 'image/jpeg'],
    // A photo out of a chat may have neither an ending nor a type.
    [64, 0.05, ''],
    [16, 0, 'application/octet-stream'],
  ] as const)
    await test.step(`${side} pixels`, async () => {
      const buffer = await cameraPhoto(page, side, quality)
      expect(buffer.toString('latin1')).toContain(place)
      await choose(page, buffer, type)
      await expect(page.getByRole('img', { name: 'Your item' })).toBeVisible()
      await expect.poll(async () => (await added()).length).toBe(1)
      const [stored = ''] = await added()
      expect(stored.startsWith('ÿØÿ')).toBe(true)
      expect(stored.includes(place) || stored.includes('Exif')).toBe(false)
      known.push(stored)
    })

  for (const [head, type, text] of [
    ['not a picture', 'image/jpeg', 'not a photo we can use'],
    ['not a picture', 'application/pdf', 'not a photo we can use'],
    ['\0\0\0\x24ftypheic', '', 'cannot open HEIC photos'],
  ] as const)
    await test.step(`a broken file of type ${type}`, async () => {
      await choose(page, Buffer.from(`${head}, ${place}`), type)
      const refused = toast(page, 'Upload Failed')
      await expect(refused).toContainText(text)
      expect(await added()).toEqual([])
      await refused.getByRole('button', { name: 'Dismiss' }).click()
      await expect(refused).toBeHidden()
    })
})
