import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startDexieServer } from '../../helpers/server/dexie-server.ts'
import type { TestServer } from '../../helpers/server/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startDexieServer()
})
afterAll(() => server.close())

/** A login whose body's chunks are those that `next` returns; `undefined` ends it. */
function login(next: (pulls: number) => Promise<Uint8Array | undefined> | Uint8Array | undefined) {
  let pulls = 0
  const body = new ReadableStream({
    async pull(controller) {
      const piece = await next(pulls++)
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
  const headers = { 'content-type': 'application/json' }
  const about = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  return server.fetch(new Request('http://soma.test/api/login', about))
}

const bodyOf = (length: number) => {
  const empty = JSON.stringify({ email: 'a@b.c', password: '' })
  return JSON.stringify({ email: 'a@b.c', password: 'x'.repeat(length - empty.length) })
}

test('R67: a body of 64 kB is accepted, one of a byte more is 413', async () => {
  const status = async (length: number) =>
    (await server.raw('POST', '/login', { body: bodyOf(length) })).status
  expect(await status(65_536)).not.toBe(413)
  expect(await status(65_537)).toBe(413)
  expect(await status(10_000_000)).toBe(413)
})

test('R67: the rest of a too large body is read and discarded up to a limit', async () => {
  let pieces = 0
  const answer = await login(() => {
    pieces++
    return new Uint8Array(100_000)
  })
  expect([answer.status, (await answer.json()).reason]).toEqual([413, 'too-large'])
  expect(pieces).toBeGreaterThan(150)
  expect(pieces).toBeLessThan(200)
})

test('R67: a sender who stops in the middle of a too large body gets a response', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  try {
    let stopped = () => {}
    const hasStopped = new Promise<void>((resolve) => {
      stopped = resolve
    })
    const answer = login((pulls) => {
      if (pulls < 2) return new Uint8Array(60_000)
      stopped()
      return new Promise(() => undefined)
    })
    await hasStopped
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await answer).status).toBe(413)
  } finally {
    vi.useRealTimers()
  }
})

test('a body of many small chunks is parsed as one', async () => {
  const text = Buffer.from(bodyOf(2_000))
  const answer = await login((pulls) =>
    pulls < text.length ? text.subarray(pulls, pulls + 1) : undefined,
  )
  expect((await answer.json()).reason).not.toBe('malformed')
})
