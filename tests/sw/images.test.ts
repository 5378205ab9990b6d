import { beforeEach, describe, expect, test, vi } from 'vitest'

const url = 'https://soma.example/api/images/ab12.jpg'

/** The part of the browser's caches that the worker uses. */
function fakeCaches(names: string[]) {
  const stored = new Map(names.map((name) => [name, new Map<string, Response>()]))
  return {
    stored,
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
    open: async (name: string) => {
      const cache = stored.get(name) ?? new Map<string, Response>()
      stored.set(name, cache)
      return {
        match: async (key: string) => cache.get(key),
        put: async (key: string, answer: Response) => void cache.set(key, answer),
        keys: async () => [...cache.keys()],
        delete: async (key: string) => cache.delete(key),
      }
    },
  }
}

/** The worker's photo module, as it runs in the app or in the demo. */
async function worker(place: 'app' | 'demo', names: string[] = []) {
  vi.resetModules()
  const scope = place === 'app' ? 'https://soma.example/' : 'https://soma.example/demo/'
  vi.stubGlobal('self', { registration: { scope } })
  vi.stubGlobal('__DEMO__', place === 'demo')
  const caches = fakeCaches(names)
  vi.stubGlobal('caches', caches)
  return { caches, ...(await import('../../sw/images.ts')) }
}

async function ask(
  { serveImage }: Pick<Awaited<ReturnType<typeof worker>>, 'serveImage'>,
  headers: Record<string, string>,
) {
  vi.stubGlobal('fetch', async () => new Response('bytes', { headers }))
  const waiting: Promise<unknown>[] = []
  const event = {
    request: new Request(url),
    waitUntil: (work: Promise<unknown>) => waiting.push(work),
  }
  const answer = await serveImage(event as unknown as FetchEvent)
  await Promise.all(waiting)
  return answer.text()
}

beforeEach(() => vi.unstubAllGlobals())

describe('Photos that the service worker stores', () => {
  test.each([
    ['public, max-age=31536000, immutable', 1],
    ['', 1],
    ['private, no-store', 0],
    ['no-store', 0],
    ['private', 0],
    ['max-age=60, Private', 0],
  ])('with Cache-Control “%s” it stores %i', async (control, count) => {
    const photos = await worker('app')
    const headers = { 'content-type': 'image/jpeg', 'cache-control': control }
    expect(await ask(photos, headers)).toBe('bytes')
    expect(photos.caches.stored.get('soma-images-2')?.size).toBe(count)
  })

  test('an answer that is no image is not stored', async () => {
    const photos = await worker('app')
    await ask(photos, { 'content-type': 'text/html' })
    expect(photos.caches.stored.get('soma-images-2')?.size).toBe(0)
  })

  test.each([
    ['app' as const, ['soma-demo:/demo/:soma-images', 'soma-demo:/demo/:soma-images-2']],
    ['demo' as const, ['soma-images', 'soma-images-2']],
  ])('a new release of the %s deletes only its own older photos', async (place, others) => {
    const own = place === 'app' ? '' : 'soma-demo:/demo/:'
    const current = [`${own}soma-app-1`, `${own}soma-images-2`]
    const photos = await worker(place, [
      ...current,
      `${own}soma-images`,
      `${own}soma-images-1`,
      ...others,
    ])
    await photos.deleteOldImageCaches()
    expect([...photos.caches.stored.keys()].sort()).toEqual([...current, ...others].sort())
  })
})
