import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { batchLines, operation, readLines, sendBatch } from '../../../helpers/server/batch.ts'
import { present } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

const server = await serverFixture()

const guestCreate = (over: object = {}) =>
  operation('POST', '/guest/deliveries', { body: server.guestRequest(), ...over })
const exists = async (id: string) =>
  (await server.repo.read(({ deliveries }) => deliveries.get(id))) !== undefined

test('R88: the answer is a stream of lines that nothing on the way keeps or delays', async () => {
  const answer = await sendBatch(server, [guestCreate()])
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-server-version': expect.stringMatching(/^\d+$/),
    'x-request-id': expect.any(String),
  })
  const text = await answer.text()
  expect(text.endsWith('\n')).toBe(true)
})

const cyclic = (length: number) => {
  const keys = Array.from({ length }, () => v7())
  return keys.map((key, at) => guestCreate({ key, after: [keys[(at + 1) % length]] }))
}
const twice = v7()
test.each<[name: string, body: unknown, status: number, reason: string]>([
  ['no JSON', '{', 400, 'malformed'],
  ['nothing', undefined, 400, 'invalid'],
  ['no operations', { operations: [] }, 400, 'invalid'],
  ['operations that are no list', { operations: {} }, 400, 'invalid'],
  ['a list alone', [guestCreate()], 400, 'invalid'],
  [
    '101 operations',
    { operations: Array.from({ length: 101 }, () => guestCreate()) },
    400,
    'invalid',
  ],
  ['no key', { operations: [{ ...guestCreate(), key: undefined }] }, 400, 'invalid'],
  ['a key that is no UUID', { operations: [guestCreate({ key: 'mine' })] }, 400, 'invalid'],
  [
    'a key twice',
    { operations: [guestCreate({ key: twice }), guestCreate({ key: twice.toUpperCase() })] },
    400,
    'invalid',
  ],
  ['one that waits for itself', { operations: cyclic(1) }, 400, 'invalid'],
  ['a cycle', { operations: [guestCreate(), ...cyclic(3)] }, 400, 'invalid'],
  ['a path that is no path', { operations: [guestCreate({ path: 'guest' })] }, 400, 'invalid'],
  ['a method that is no text', { operations: [guestCreate({ method: 1 })] }, 400, 'invalid'],
  ['after that is no list', { operations: [guestCreate({ after: v7() })] }, 400, 'invalid'],
  [
    'more than 1 MB',
    { operations: Array.from({ length: 20 }, () => guestCreate({ body: 'x'.repeat(60_000) })) },
    413,
    'too-large',
  ],
])(
  'R88: a batch with %s is refused as a whole and does nothing',
  async (_, body, status, reason) => {
    const answer = await server.raw('POST', '/batch', { body })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toEqual({ error: expect.any(String), reason })
    const { operations } = (body ?? {}) as { operations?: { key: string }[] }
    if (!Array.isArray(operations) || status !== 400) return
    for (const { key } of operations)
      if (key) expect(await exists(key).catch(() => false)).toBe(false)
  },
)

test('R88: 100 operations take effect, each under its key', async () => {
  const operations = Array.from({ length: 100 }, () => guestCreate())
  const lines = await batchLines(server, operations)
  expect(lines.map(({ status }) => status)).toEqual(Array(100).fill(201))
  for (const { key } of operations) expect(await exists(key)).toBe(true)
  // A repeat gives the same lines and has no further effect.
  expect(await batchLines(server, operations)).toEqual(lines)
})

test.each([
  ['a path of nobody', 'POST', '/nowhere', 404, 'not-found'],
  ['a path outside the API', 'POST', '/../metrics', 404, 'not-found'],
  ['a trailing slash', 'POST', '/logout/', 404, 'not-found'],
  ['a method of no call', 'PUT', '/zones', 405, 'method-not-allowed'],
  ['a small method', 'post', '/logout', 405, 'method-not-allowed'],
  ['a call that reads', 'GET', '/zones', 400, 'invalid'],
  ['a batch in a batch', 'POST', '/batch', 400, 'invalid'],
  ['an upload', 'POST', '/images/upload', 400, 'invalid'],
  ['an ID that is none', 'PATCH', '/driver/deliveries/x/accept', 401, 'no-session'],
  ['a query it does not take', 'POST', '/logout?sort=x', 401, 'no-session'],
])('R88: %s fails alone, as its single call would', async (_, method, path, status, reason) => {
  const good = guestCreate()
  const [bad, other] = await batchLines(server, [operation(method, path), good])
  expect(bad).toMatchObject({ status, body: { error: expect.any(String), reason } })
  expect(other?.status).toBe(201)
})

test('R67: an operation has the size limit of its single call', async () => {
  const large = guestCreate({ body: server.guestRequest({ itemDescription: 'ä'.repeat(33_000) }) })
  const nested = guestCreate({ body: JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) })
  const text = (await sendBatch(server, [large, guestCreate()])).text()
  expect(await text).toContain('"reason":"too-large"')
  const body = `{"operations":[${JSON.stringify({ ...nested, body: 0 }).replace('"body":0', `"body":${'['.repeat(20_000)}${']'.repeat(20_000)}`)}]}`
  const [line] = await readLines(await server.raw('POST', '/batch', { body }))
  expect(line).toMatchObject({ status: 400, body: { reason: 'invalid' } })
})

test('R88: without a token, with a dead one and with a guest’s, each line says what its single call would say', async () => {
  const ama = await server.sender()
  const guest = await server.guestDelivery()
  const create = () => operation('POST', '/sender/deliveries', { body: server.request() })
  const cancel = () =>
    operation('PATCH', `/guest/deliveries/${guest.delivery.ID}/status`, {
      body: { status: 'Cancelled', guestPhone: guest.phone },
    })
  const dead = await server.sender()
  await server.ask('logout', { token: dead.token })
  const statuses = async (token?: string) =>
    (await batchLines(server, [create(), guestCreate(), cancel()], { token })).map((l) => l.status)
  expect(await statuses()).toEqual([401, 201, 401])
  expect(await statuses(dead.token)).toEqual([401, 201, 401])
  expect(await statuses(ama.token)).toEqual([201, 201, 403])
  expect(await statuses(guest.token)).toEqual([401, 201, 200])
})

test('R88: a logout in a batch ends the token for what comes after it', async () => {
  const ama = await server.sender()
  const out = operation('POST', '/logout')
  const late = operation('POST', '/sender/deliveries', { body: server.request(), after: [out.key] })
  const lines = await batchLines(server, [late, out], { token: ama.token })
  expect(lines.map(({ status }) => status)).toEqual([401, 200])
})

test('R89: a create, its cancellation and the next create go in one batch, in their order', async () => {
  const ama = await server.sender()
  const first = operation('POST', '/sender/deliveries', { body: server.request() })
  const cancel = operation('PATCH', `/deliveries/${first.key}/status`, {
    body: { status: 'Cancelled' },
    after: [first.key.toUpperCase()],
  })
  const second = operation('POST', '/sender/deliveries', {
    body: server.request(),
    after: [cancel.key],
  })
  const answer = await sendBatch(server, [second, cancel, first], { token: ama.token })
  const lines = await readLines(answer)
  expect(lines.map(({ key, status }) => [key, status])).toEqual([
    [first.key, 201],
    [cancel.key, 200],
    [second.key, 201],
  ])
})

test('R89: what was skipped is not stored, and takes effect when it is sent again', async () => {
  const ama = await server.sender()
  const blocking = await server.delivery(ama)
  const create = operation('POST', '/sender/deliveries', { body: server.request() })
  const dispute = operation('POST', '/guest/deliveries', {
    body: server.guestRequest(),
    after: [create.key],
  })
  const both = await batchLines(server, [create, dispute], { token: ama.token })
  expect(both).toMatchObject([
    { status: 409, body: { reason: 'active-delivery' } },
    { status: 424, body: { reason: 'skipped', error: expect.any(String) } },
  ])
  await server.changeStatus(ama, blocking.ID, 'Cancelled')
  const alone = await batchLines(server, [dispute], { token: ama.token })
  expect(alone.map(({ status }) => status)).toEqual([201])
})

test('R88: two batches with the same keys at once have one effect and the same lines', async () => {
  const operations = Array.from({ length: 8 }, () => guestCreate())
  const [one, two] = await Promise.all([
    batchLines(server, operations),
    batchLines(server, [...operations].reverse()),
  ])
  expect(one?.map(({ status }) => status)).toEqual(Array(8).fill(201))
  expect([...(two ?? [])].reverse()).toEqual(one)
})

test('R88: the same key with another body is 422 in a batch too', async () => {
  const create = guestCreate()
  await batchLines(server, [create])
  const other = { ...create, body: server.guestRequest({ offer: 7 }) }
  expect(await batchLines(server, [other])).toMatchObject([
    { status: 422, body: { reason: 'key-reused' } },
  ])
})

test('R60, R88: limits count operations, and a line says when to try again', async () => {
  const [ama, yaw] = [await server.sender(), await server.driver()]
  const made = await server.delivery(ama)
  await server.drive(made, yaw, 'Picked Up')
  const wrong = made.deliveryCode === '00000' ? '00001' : '00000'
  const tries = Array.from({ length: 6 }, () =>
    operation('POST', `/driver/deliveries/${made.ID}/complete`, { body: { code: wrong } }),
  )
  const lines = await batchLines(server, tries, { token: yaw.token })
  const limited = lines.filter(({ status }) => status === 429)
  expect(lines.filter(({ status }) => status === 400)).toHaveLength(5)
  expect(limited).toHaveLength(1)
  expect(limited[0]?.retryAfter).toBeGreaterThan(0)
})

test('R31, R88: an operation carries when the person acted, and a wrong time fails alone', async () => {
  const ama = await server.sender()
  const occurredAt = '2026-01-02T03:04:05.000Z'
  const create = operation('POST', '/sender/deliveries', { body: server.request(), occurredAt })
  const bad = guestCreate({ occurredAt: 'yesterday' })
  const [made, refused] = await batchLines(server, [create, bad], { token: ama.token })
  expect(JSON.stringify(present(made).body)).toContain(occurredAt)
  expect(refused).toMatchObject({ status: 400, body: { reason: 'invalid' } })
})
