import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { paths } from '#app/paths.ts'

/* What the phone's system reads of the app. */

const folder = join(import.meta.dirname, '../../public')
const manifest = JSON.parse(readFileSync(join(folder, 'manifest.webmanifest'), 'utf8'))
const page = readFileSync(join(folder, '../src/index.html'), 'utf8')

type Picture = { src: string; sizes: string; form_factor?: string }
const pictures: Picture[] = [
  ...manifest.icons,
  ...manifest.screenshots,
  ...manifest.shortcuts.flatMap(({ icons }: { icons: Picture[] }) => icons),
]

describe('the manifest', () => {
  test.each(pictures.filter(({ sizes }) => sizes !== 'any'))(
    '$src is there, in the size it says',
    async ({ src, sizes }) => {
      const { width, height } = await sharp(join(folder, src)).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    },
  )

  test('has an identity, categories, and screenshots for phones and wide screens', () => {
    expect(manifest.id).toBe('.')
    expect(manifest.categories.length).toBeGreaterThan(0)
    const factors = manifest.screenshots.map((each: Picture) => each.form_factor)
    expect(new Set(factors)).toEqual(new Set(['narrow', 'wide']))
    expect(manifest.launch_handler.client_mode).toContain('navigate-existing')
  })

  test('its shortcuts lead senders, drivers and everybody to screens there are', () => {
    const known = Object.values(paths) as string[]
    for (const { url, icons } of manifest.shortcuts) {
      expect(known).toContain(`/${url}`)
      expect(icons).toHaveLength(1)
    }
    const urls = manifest.shortcuts.map(({ url }: { url: string }) => url)
    expect(urls).toEqual(expect.arrayContaining(['send', 'drive', 'deliveries', 'outbox']))
  })

  test('takes shared photos by the names that the worker reads', () => {
    expect(manifest.share_target).toMatchObject({
      action: 'share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: 'photo', accept: ['image/*'] }] },
    })
  })
})

test('the page has a colour for the light and the dark theme, and what iPhones read', async () => {
  const themes = [
    ...page.matchAll(
      /name="theme-color" content="#\w{6}" media="\(prefers-color-scheme: (\w+)\)"/g,
    ),
  ]
  expect(themes.map(([, theme]) => theme).sort()).toEqual(['dark', 'light'])
  expect(page).toContain('apple-mobile-web-app-capable')
  const splashes = [
    ...page.matchAll(
      /href="\/(splash\/(\d+)x(\d+)\.png)"[^>]*device-width: (\d+)px\) and \(device-height: (\d+)px\) and \(-webkit-device-pixel-ratio: (\d)/g,
    ),
  ]
  expect(splashes.length).toBeGreaterThanOrEqual(5)
  for (const [, file = '', width, height, w, h, ratio] of splashes) {
    const picture = await sharp(join(folder, file)).metadata()
    expect([picture.width, picture.height]).toEqual([Number(width), Number(height)])
    expect([Number(w) * Number(ratio), Number(h) * Number(ratio)]).toEqual([
      picture.width,
      picture.height,
    ])
  }
})
