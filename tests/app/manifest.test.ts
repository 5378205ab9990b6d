import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cacheVersion, description, product } from '#domain/product.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('The page, the manifest and package.json have the name and version of the product', () => {
  const manifest = JSON.parse(read('public/manifest.webmanifest'))
  expect(manifest).toMatchObject({ name: product, short_name: product, description })
  const page = read('src/index.html')
  expect(page).toContain(`<title>${product}</title>`)
  expect(page).toContain(`content="${description}"`)
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: cacheVersion })
})

test('The app can be installed: each icon of the manifest exists in its size', () => {
  const { icons } = JSON.parse(read('public/manifest.webmanifest'))
  for (const { src, sizes, type } of icons) {
    const file = join(root, 'public', src)
    expect(existsSync(file), src).toBe(true)
    if (type === 'image/png') expect(pngSize(readFileSync(file)), src).toBe(sizes)
  }
})

test('The page has no inline script, which the content security policy would refuse', () => {
  const scripts = read('src/index.html').match(/<script[^>]*>[^<]*/g)
  expect(scripts).toEqual(['<script type="module" src="/main.tsx">'])
})

/** Width and height are in the first chunk of a PNG. */
const pngSize = (bytes: Buffer) => `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`
