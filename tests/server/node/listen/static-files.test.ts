import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoFiles, staticFiles } from '#server/node/listen/static-files.ts'

let folder: string
let answer: ReturnType<typeof staticFiles>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'soma-app-'))
  await mkdir(join(folder, 'assets'))
  const files = {
    'index.html': '<html>',
    'index.html.br': 'BR',
    'sw.js': 'sw',
    'manifest.webmanifest': '{}',
    'assets/main-a1B2c3D4.js': 'js',
    'assets/main-a1B2c3D4.js.gz': 'GZ',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await writeFile(join(folder, '..', 'soma-secret.txt'), 'secret')
  answer = staticFiles(folder, { images: ['https://images.test'], uploads: ['https://up.test'] })
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await rm(join(folder, '..', 'soma-secret.txt'), { force: true })
})

async function get(path: string, accept = '', method = 'GET') {
  const headers = { 'accept-encoding': accept }
  const response = await answer(new Request(`http://soma.test${path}`, { headers, method }))
  return response && { headers: response.headers, text: await response.text() }
}

test('every path without a file serves the app’s first page, which is revalidated each time', async () => {
  for (const path of [
    '/',
    '/send',
    '/delivery/01a1fd1f-8eb4-7638-a814-925f7f8d339d',
    '/admin/users',
  ]) {
    const page = await get(path)
    expect(page?.text).toBe('<html>')
    expect(page?.headers.get('cache-control')).toBe('no-cache')
    expect(page?.headers.get('content-type')).toBe('text/html; charset=utf-8')
  }
  expect((await get('/sw.js'))?.headers.get('cache-control')).toBe('no-cache')
  expect((await get('/manifest.webmanifest'))?.headers.get('cache-control')).toBe('no-cache')
})

test('files with a hash in their name are cached as immutable', async () => {
  const file = await get('/assets/main-a1B2c3D4.js')
  expect(file?.text).toBe('js')
  expect(file?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('a compressed file is sent to clients that accept its encoding', async () => {
  expect((await get('/', 'gzip, deflate, br'))?.text).toBe('BR')
  expect((await get('/', 'gzip'))?.text).toBe('<html>')
  const file = await get('/assets/main-a1B2c3D4.js', 'gzip, br')
  expect([file?.text, file?.headers.get('content-encoding')]).toEqual(['GZ', 'gzip'])
})

test('a missing asset is 404, and no path leaves the folder', async () => {
  for (const path of [
    '/assets/gone-a1B2c3D4.js',
    '/x.png',
    '/../soma-secret.txt',
    '/%2e%2e/soma-secret.txt',
    '/..%2fsoma-secret.txt',
    '/%00.js',
    '/%zz.js',
  ])
    expect((await get(path))?.text ?? 'nothing', path).not.toContain('secret')
  expect(await get('/assets/gone-a1B2c3D4.js')).toBeUndefined()
  expect(await get('/', '', 'POST')).toBeUndefined()
  expect((await get('/', '', 'HEAD'))?.text).toBe('')
})

test('R112: the page may ask for the position, and no other page may in its name', async () => {
  const policy = (await get('/'))?.headers.get('permissions-policy')
  expect(policy).toMatch(/(^|, )geolocation=\(self\)(,|$)/)
})

test('the content security policy allows the page’s own scripts and photos of the image host', async () => {
  const policy = (await get('/'))?.headers.get('content-security-policy')
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("img-src 'self' data: blob: https://images.test;")
  expect(policy).toContain("connect-src 'self' https://up.test https://images.test;")
  expect(policy).toContain("frame-ancestors 'none'")
})

test('R110: a page may use the camera, and start workers of its own origin alone', async () => {
  const headers = (await get('/'))?.headers
  expect(headers?.get('permissions-policy')).toContain('camera=(self)')
  const policy = headers?.get('content-security-policy')
  // Workers fall back to the sources of scripts.
  expect(policy).not.toContain('worker-src')
  expect(policy).not.toContain('child-src')
  expect(policy).toContain("script-src 'self'")
})

test('an inline script of the page is allowed by its hash, and no other', async () => {
  const page = await mkdtemp(join(tmpdir(), 'soma-page-'))
  await writeFile(
    join(page, 'index.html'),
    '<script>draw()</script><script>more()</script><script src="/a.js"></script>',
  )
  const files = staticFiles(page, { images: [], uploads: [] })
  const response = await files(new Request('http://soma.test/'))
  const allowed = ['draw()', 'more()'].map(
    (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  expect(response?.headers.get('content-security-policy')).toContain(
    `script-src 'self' ${allowed.join(' ')};`,
  )
  await rm(page, { recursive: true })
})

test('the demo is under /demo/, and a deep link into it redirects to its first page', async () => {
  const demo = demoFiles(folder)
  const ask = (path: string) => demo(new Request(`http://soma.test${path}`))
  expect(await (await ask('/demo/'))?.text()).toBe('<html>')
  expect(await (await ask('/demo/assets/main-a1B2c3D4.js'))?.text()).toBe('js')
  expect((await ask('/demo'))?.headers.get('location')).toBe('/demo/')
  const room = await ask('/demo/delivery/01a1?as=guest')
  expect(room?.status).toBe(302)
  expect(room?.headers.get('location')).toBe('/demo/?to=delivery%2F01a1%3Fas%3Dguest')
  for (const path of ['/', '/send', '/demos', '/demonstration/x'])
    expect(await ask(path)).toBeUndefined()
})

test('a file is sent in chunks, with its length', async () => {
  const large = 'x'.repeat(300_000)
  await writeFile(join(folder, 'large.txt'), large)
  const files = staticFiles(folder, { images: [], uploads: [] })
  const response = await files(new Request('http://soma.test/large.txt'))
  expect(response?.headers.get('content-length')).toBe('300000')
  const reader = response?.body?.getReader()
  expect((await reader?.read())?.value?.length).toBeLessThan(100_000)
  await reader?.cancel()
  const again = await files(new Request('http://soma.test/large.txt'))
  expect(await again?.text()).toBe(large)
})
