import { beforeEach, describe, expect, test, vi } from 'vitest'

const url = 'https://soma.example/api/images/ab12.jpg'

/** The browser's caches, as much of them as the worker uses. */
function fakeCaches(names: string[]) {
  const kept = new Map(names.map((name) => [name, new Map<string, Response>()]))
  return {
    kept,
    keys: async () => [...kept.keys()],
    delete: async (name: string) => kept.delete(name),
    open: async (name: string) => {
      const cache = kept.get(name) ?? new Map<string, Response>()
      kept.set(name, cache)
      return {
        match: async (key: string) => cache.get(key),
        put: async (key: string, answer: Response) => void cache.set(key, answer),
        keys: async () => [...cache.keys()],
        delete: async (key: string) => cache.delete(key),
      }
    },
  }
}

/** The worker's handling of photos, as it runs where the app, or the demo, lies. */
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
  const waits: Promise<unknown>[] = []
  const event = {
    request: new Request(url),
    waitUntil: (work: Promise<unknown>) => waits.push(work),
  }
  const answer = await serveImage(event as unknown as FetchEvent)
  await Promise.all(waits)
  return answer.text()
}

beforeEach(() => vi.unstubAllGlobals())

describe('Photos that the service worker keeps', () => {
  test.each([
    ['public, max-age=31536000, immutable', 1],
    ['', 1],
    ['private, no-store', 0],
    ['no-store', 0],
    ['private', 0],
    ['max-age=60, Private', 0],
  ])('Cache-Control “%s” keeps %i', async (control, kept) => {
    const here = await worker('app')
    const headers = { 'content-type': 'image/jpeg', 'cache-control': control }
    expect(await ask(here, headers)).toBe('bytes')
    expect(here.caches.kept.get('soma-images-2')?.size).toBe(kept)
  })

  test('what is no photo is not kept', async () => {
    const here = await worker('app')
    await ask(here, { 'content-type': 'text/html' })
    expect(here.caches.kept.get('soma-images-2')?.size).toBe(0)
  })

  test.each([
    ['app' as const, ['soma-demo:/demo/:soma-images', 'soma-demo:/demo/:soma-images-2']],
    ['demo' as const, ['soma-images', 'soma-images-2']],
  ])('a new release of the %s removes its own older photos alone', async (place, others) => {
    const own = place === 'app' ? '' : 'soma-demo:/demo/:'
    const apps = [`${own}soma-app-1`, `${own}soma-images-2`]
    const here = await worker(place, [
      ...apps,
      `${own}soma-images`,
      `${own}soma-images-1`,
      ...others,
    ])
    await here.deleteOldImageCaches()
    expect([...here.caches.kept.keys()].sort()).toEqual([...apps, ...others].sort())
  })
})
