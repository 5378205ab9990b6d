import fc from 'fast-check'
import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { BatchLine } from '#contract/batch.ts'
import { serverFixture } from '../server-fixture.ts'

const server = await serverFixture()

type Operation = {
  key: string
  method: string
  path: string
  body?: unknown
  occurredAt?: string
  after?: string[]
}

const post = (body: unknown, token?: string, address?: string) =>
  server.raw('POST', '/batch', { token, body: body as object, address })

async function send(operations: Operation[], token?: string): Promise<BatchLine[]> {
  const response = await post({ operations }, token)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  return linesIn(await response.text())
}

const linesIn = (text: string): BatchLine[] =>
  text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const guestRequest = () => ({
  ...server.request(),
  senderName: 'Ama',
  senderPhone: '0244999999',
})

const guestCreate = (after?: string[]): Operation => ({
  key: v7(),
  method: 'POST',
  path: '/guest/deliveries',
  body: guestRequest(),
  after,
})

/** Refused whoever asks: the zone is on no list. */
const refusedCreate = (after?: string[]): Operation => ({
  ...guestCreate(after),
  body: { ...guestRequest(), pickupZone: 'Nowhere' },
})

describe('R88: a batch answers a line for each operation, as its single call would', () => {
  test('a hundred guests’ requests in one', async () => {
    const operations = Array.from({ length: 100 }, () => guestCreate())
    const lines = await send(operations)
    expect(new Set(lines.map(({ key }) => key))).toEqual(new Set(operations.map(({ key }) => key)))
    expect(new Set(lines.map(({ status }) => status))).toEqual(new Set([201]))
    for (const { key, body } of lines)
      expect(body).toMatchObject({ delivery: { ID: key }, guestToken: expect.any(String) })
  })

  test('R70: repeated in a batch or singly, an operation has its first outcome', async () => {
    const ama = await server.sender()
    const create = {
      key: v7(),
      method: 'POST',
      path: '/sender/deliveries',
      body: server.request(),
      occurredAt: '2026-11-21T10:00:00.000Z',
    }
    const [first] = await send([create], ama.token)
    const [again] = await send([create], ama.token)
    expect(again).toEqual(first)
    const single = await server.raw('POST', create.path, {
      token: ama.token,
      key: create.key,
      body: create.body,
    })
    expect(single.headers.get('idempotent-replayed')).toBe('true')
    expect(await single.json()).toEqual(first?.body)
    expect(first?.body).toMatchObject({
      delivery: { history: [{ status: 'Pending', occurredAt: create.occurredAt }] },
    })
    const [other] = await send([{ ...create, body: { ...create.body, offer: 7 } }], ama.token)
    expect(other).toMatchObject({ status: 422, body: { reason: 'key-reused' } })
  })

  test('two batches with the same keys at once have one effect for each', async () => {
    const operations = Array.from({ length: 20 }, () => guestCreate())
    const [one, two] = await Promise.all([send(operations), send(operations)])
    const sorted = (lines: BatchLine[]) =>
      [...lines].sort((a, b) => a.key.localeCompare(b.key)).map(({ body }) => body)
    expect(sorted(one)).toEqual(sorted(two))
  })

  test('a driver’s whole run in one: accept, pick up and code, in their order', async () => {
    const made = await server.delivery(await server.sender())
    const kofi = await server.driver()
    const at = `/driver/deliveries/${made.ID}`
    const [accept, pickUp, code] = [v7(), v7(), v7()]
    const lines = await send(
      [
        {
          key: code,
          method: 'POST',
          path: `${at}/complete`,
          body: { code: made.deliveryCode },
          after: [pickUp],
        },
        {
          key: pickUp,
          method: 'PATCH',
          path: `/deliveries/${made.ID}/status`,
          body: { status: 'Picked Up' },
          after: [accept],
        },
        { key: accept, method: 'PATCH', path: `${at}/accept` },
      ],
      kofi.token,
    )
    expect(lines.map(({ key, status }) => [key, status])).toEqual([
      [accept, 200],
      [pickUp, 200],
      [code, 200],
    ])
  })

  test('without a token, or with a dead one, each line says what its single call would', async () => {
    const operations = [
      guestCreate(),
      { key: v7(), method: 'PATCH', path: `/driver/deliveries/${v7()}/accept` },
    ]
    for (const token of [undefined, 'a-token-nobody-has-000000000000']) {
      const lines = await send(operations, token)
      expect(lines.map(({ status }) => status).sort()).toEqual([201, 401])
    }
  })

  test('a logout in a batch ends the token for what comes after it', async () => {
    const ama = await server.sender()
    const logout = { key: v7(), method: 'POST', path: '/logout', body: {} }
    const create = {
      key: v7(),
      method: 'POST',
      path: '/sender/deliveries',
      body: server.request(),
      after: [logout.key],
    }
    const lines = await send([create, logout], ama.token)
    expect(lines.map(({ status }) => status)).toEqual([200, 401])
  })

  test('keys come back as they were sent', async () => {
    const key = v7().toUpperCase()
    const [line] = await send([{ ...guestCreate(), key }])
    expect(line?.key).toBe(key)
  })

  test.each([
    ['GET', '/zones'],
    ['POST', '/nowhere'],
    ['DELETE', '/zones'],
    ['POST', '/batch'],
    ['POST', '/images/upload'],
    ['PATCH', '/deliveries/%E0%A4%A/status'],
    ['PATCH', '/deliveries/../admin/zones/status'],
    ['POST', '/zones?x=1#y'],
  ])('%s %s is no operation', async (method, path) => {
    const response = await post({
      operations: [{ key: v7(), method, path, body: {} }, guestCreate()],
    })
    if (method === 'GET') return expect(response.status).toBe(400)
    const lines = linesIn(await response.text())
    expect(lines.map(({ status }) => status).sort()).toEqual([201, expect.any(Number)])
    expect(lines.find(({ status }) => status !== 201)?.status).toBeGreaterThanOrEqual(400)
  })

  test.each(['/login', '/signup', '/verify/confirm', '/verify/resend', '/password/reset'])(
    'POST %s is not taken in a batch',
    async (path) => {
      const [line] = await send([{ key: v7(), method: 'POST', path, body: {} }])
      expect(line).toMatchObject({ status: 400, body: { reason: 'invalid' } })
    },
  )
})

describe('R88: a malformed batch is refused as a whole and does nothing', () => {
  const key = v7()
  const good = guestCreate()
  const bad: [string, unknown][] = [
    ['nothing', {}],
    ['no operations', { operations: [] }],
    ['no list', { operations: good }],
    ['more than a hundred', { operations: Array.from({ length: 101 }, () => guestCreate()) }],
    ['no key', { operations: [good, { method: 'POST', path: '/guest/deliveries' }] }],
    ['a key that is no UUID', { operations: [good, { ...guestCreate(), key: 'x' }] }],
    ['a key twice', { operations: [good, { ...guestCreate(), key }, { ...guestCreate(), key }] }],
    [
      'a key twice, in capitals',
      {
        operations: [good, { ...guestCreate(), key }, { ...guestCreate(), key: key.toUpperCase() }],
      },
    ],
    ['a path that is none', { operations: [good, { ...guestCreate(), path: 'zones' }] }],
    ['one that waits for itself', { operations: [good, { ...guestCreate([key]), key }] }],
    [
      'a circle',
      {
        operations: [
          good,
          { ...guestCreate([key]), key: good.key.replace(/.$/, '0') },
          { ...guestCreate([good.key.replace(/.$/, '0')]), key },
        ],
      },
    ],
  ]
  test.each(bad)('%s', async (_, body) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ reason: 'invalid', error: expect.any(String) })
    const admin = await server.admin()
    const found = await server.raw('GET', `/deliveries/${good.key}`, { token: admin.token })
    expect(found.status).toBe(404)
  })

  test('not JSON, too large, another method', async () => {
    const url = 'http://soma.test/api/batch'
    const broken = await server.fetch(new Request(url, { method: 'POST', body: '{"operations":' }))
    expect(broken.status).toBe(400)
    const huge = JSON.stringify({ operations: [{ ...good, body: 'x'.repeat(1_100_000) }] })
    expect((await server.fetch(new Request(url, { method: 'POST', body: huge }))).status).toBe(413)
    expect((await server.raw('GET', '/batch')).status).toBe(405)
    const [line] = await send([{ ...guestCreate(), body: { itemDescription: 'x'.repeat(70_000) } }])
    expect(line?.status).toBe(413)
  })
})

describe('R88: parents go first', () => {
  /** For each operation whether it is refused, and how far back its parents stand. */
  const graphs = fc.array(
    fc.record({
      isRefused: fc.boolean(),
      back: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 14 },
  )

  test('what depends on a refused one is skipped, and nothing else, in whatever order they are sent', async () => {
    await fc.assert(
      fc.asyncProperty(
        graphs,
        fc.infiniteStream(fc.double({ noNaN: true })),
        async (graph, order) => {
          const keys = graph.map(() => v7())
          const parentsOf = graph.map(({ back }, at) =>
            back.flatMap((far) => (far <= at ? [at - far] : [])),
          )
          const operations = graph.map(({ isRefused }, at) => {
            const after = (parentsOf[at] ?? []).map((parent) => keys[parent] ?? '')
            return {
              ...(isRefused ? refusedCreate(after) : guestCreate(after)),
              key: keys[at] ?? '',
            }
          })
          const shuffled = operations
            .map((operation) => ({ operation, by: order.next().value }))
            .sort((a, b) => Number(a.by) - Number(b.by))
            .map(({ operation }) => operation)
          const lines = await send(shuffled)
          const place = new Map(lines.map(({ key }, at) => [key, at]))
          const expected: number[] = []
          for (const [at, { isRefused }] of graph.entries()) {
            const parents = parentsOf[at] ?? []
            const isSkipped = parents.some((parent) => (expected[parent] ?? 0) >= 400)
            expected.push(isSkipped ? 424 : isRefused ? 400 : 201)
            for (const parent of parents)
              expect(place.get(keys[parent] ?? '')).toBeLessThan(place.get(keys[at] ?? '') ?? -1)
          }
          const statusOf = new Map(lines.map(({ key, status }) => [key, status]))
          expect(keys.map((key) => statusOf.get(key))).toEqual(expected)
        },
      ),
      { numRuns: 25, seed: 88 },
    )
  })

  test('a skipped operation is not stored: sent again it is done', async () => {
    const refused = refusedCreate()
    const child = guestCreate([refused.key])
    const lines = await send([refused, child])
    expect(lines).toMatchObject([
      { status: 400 },
      { key: child.key, status: 424, body: { reason: 'skipped', error: expect.any(String) } },
    ])
    expect(await send([child])).toMatchObject([{ key: child.key, status: 201 }])
  })
})

test('R88: each line is sent as soon as its outcome is durable, and a reader who goes away begins nothing more', async () => {
  const operations = Array.from({ length: 60 }, () => guestCreate())
  const listener = await server.listen()
  const stop = new AbortController()
  const response = await fetch(`${listener.origin}/api/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operations }),
    signal: stop.signal,
  })
  const reader = response.body?.getReader()
  const first = await reader?.read()
  expect(new TextDecoder().decode(first?.value)).toContain('"status":201')
  stop.abort()
  await new Promise((resolve) => setTimeout(resolve, 300))
  const admin = await server.admin()
  const there = async () => {
    let count = 0
    for (const { key } of operations)
      if ((await server.raw('GET', `/deliveries/${key}`, { token: admin.token })).status === 200)
        count++
    return count
  }
  const done = await there()
  expect(done).toBeGreaterThan(0)
  // What was said, and what was not, is done once when all are sent again.
  const lines = await send(operations)
  expect(new Set(lines.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await there()).toBe(60)
})
