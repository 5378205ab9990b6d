import { afterEach, expect, test, vi } from 'vitest'

/** The worker's module for what is shared to the app, and what it has stored. */
async function worker({ isFull = false } = {}) {
  vi.resetModules()
  vi.stubGlobal('__DEMO__', false)
  vi.stubGlobal('self', { registration: { scope: 'https://soma.example/' } })
  const stored: { cache: string; url: string; type: string | null; bytes: number }[] = []
  vi.stubGlobal('caches', {
    open: async (cache: string) => ({
      put: async (url: URL, answer: Response) => {
        if (isFull) throw new DOMException('Full', 'QuotaExceededError')
        const bytes = (await answer.arrayBuffer()).byteLength
        stored.push({ cache, url: url.href, type: answer.headers.get('content-type'), bytes })
      },
    }),
  })
  const { takeShared } = await import('../../sw/share.ts')
  return {
    stored,
    take: takeShared,
    /** Where the browser is led. */
    async share(body: BodyInit) {
      const request = new Request('https://soma.example/share', { method: 'POST', body })
      const answer = await takeShared(request)
      expect(answer.status).toBe(303)
      return answer.headers.get('location')
    },
  }
}

const file = (type: string, bytes = 10) => new File([new Uint8Array(bytes)], 'a', { type })
const formOf = (...parts: (File | string)[]) => {
  const form = new FormData()
  form.append('title', 'Look')
  for (const part of parts) form.append('photo', part)
  return form
}

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['a photo', [file('image/jpeg')]],
  ['an empty one', [file('image/png', 0)]],
  ['a large one', [file('image/heic', 30_000_000)]],
  ['one without a type', [file('application/octet-stream')]],
  [
    'a photo among other things',
    ['text', file('application/pdf'), file('image/webp'), file('image/png')],
  ],
])(
  '%s is stored alone, apart from the files of a release, and the form begins with it',
  async (_, parts) => {
    const { share, stored } = await worker()
    const photo = parts.find((part) => typeof part !== 'string' && !/pdf/.test(part.type))
    expect(await share(formOf(...parts))).toBe('https://soma.example/send?shared=photo')
    expect(stored).toEqual([
      {
        cache: 'soma-shared',
        url: 'https://soma.example/shared-photo',
        type: (photo as File).type,
        bytes: (photo as File).size,
      },
    ])
  },
)

test.each([
  ['only text', formOf('https://example.com')],
  ['nothing', formOf()],
  ['a document', formOf(file('application/pdf'))],
  ['a page', formOf(file('text/html'))],
  ['a drawing, which can hold scripts', formOf(file('image/svg+xml'))],
  ['no form at all', 'hello'],
])('%s opens the form and is not stored', async (_, body) => {
  const { share, stored } = await worker()
  expect(await share(body)).toBe('https://soma.example/send')
  expect(stored).toEqual([])
})

test('on a full phone the form opens without the photo', async () => {
  const { share } = await worker({ isFull: true })
  expect(await share(formOf(file('image/jpeg')))).toBe('https://soma.example/send')
})

test.each([
  ['https://elsewhere.example/page', 403],
  ['http://soma.example/', 403],
  ['https://soma.example/account', 303],
  ['android-app://com.example.chat/', 303],
  ['', 303],
])('R148: a form that was sent by %j is answered with %i', async (referrer, status) => {
  const { stored, take } = await worker()
  const request = { method: 'POST', body: formOf(file('image/jpeg')) }
  const shared = new Request('https://soma.example/share', request)
  Object.defineProperty(shared, 'referrer', { value: referrer })
  expect((await take(shared)).status).toBe(status)
  expect(stored).toHaveLength(status === 403 ? 0 : 1)
  const headers = { 'sec-fetch-site': 'cross-site' }
  expect((await take(new Request(shared.url, { ...request, headers }))).status).toBe(403)
})
