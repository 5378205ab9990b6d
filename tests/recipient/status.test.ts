import { createHash } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { ask, hasEnded, nextAfter, openMemory } from '#recipient/status.ts'

const secret = Buffer.alloc(16, 7).toString('base64url')
const link = { id: '019cb391-c200-7375-b911-5189b9f72e4d', secret }
const now = () => new Date('2026-11-24T09:00:00.000Z')
const handover = { status: 'Picked Up', itemDescription: 'Kente', senderName: 'Ama' }

afterEach(() => vi.unstubAllGlobals())

/** What `ask` says of this answer, and what it sent. */
async function heard(answer: () => Promise<Response>) {
  const fetch = vi.fn(answer)
  vi.stubGlobal('fetch', fetch)
  return {
    found: await ask(link, now),
    sent: fetch.mock.calls as unknown as [string, RequestInit][],
  }
}
const json = (status: number, body: unknown) => async () => Response.json(body, { status })

test('R111: asks with a token made of the secret, and never sends the secret', async () => {
  const { found, sent } = await heard(json(200, { handover }))
  expect(found).toMatchObject({ parcel: { ...handover, at: now().toISOString() } })
  const seed = Buffer.concat([Buffer.from('soma track'), Buffer.alloc(16, 7)])
  const token = `t_${createHash('sha256').update(seed).digest('base64url')}`
  const [url, options] = sent[0] ?? ['', {}]
  expect(url).toBe(`/api/handover/${link.id}`)
  expect(new Headers(options.headers).get('authorization')).toBe(`Bearer ${token}`)
  expect(JSON.stringify(sent)).not.toContain(secret)
})

test.each([
  ['the server knows no such link', json(404, { error: 'x', reason: 'not-found' }), 'unknown'],
  ['the token has ended', json(401, { error: 'x', reason: 'unauthorized' }), 'unknown'],
  ["a gateway's JSON", json(404, { error: 'x' }), 'unreachable'],
  ["a portal's page", async () => new Response('<h1>Log in</h1>', { status: 404 }), 'unreachable'],
  ["a portal's page as an answer", async () => new Response('<h1>Log in</h1>'), 'unreachable'],
  ['an answer without its parts', json(200, { handover: { status: 'Pending' } }), 'unreachable'],
  ['an answer of another kind', json(200, null), 'unreachable'],
  ['a failing server', json(503, { error: 'x' }), 'unreachable'],
  ['no network', () => Promise.reject(new TypeError('Failed to fetch')), 'unreachable'],
] as const)('R111: %s', async (_, answer, expected) => {
  expect((await heard(answer)).found).toBe(expected)
})

test('R111: asks less often while it fails, at least every five minutes', () => {
  expect([0, 1, 2, 3, 4, 400].map(nextAfter)).toEqual([
    20_000, 40_000, 80_000, 160_000, 300_000, 300_000,
  ])
})

test('R111: stops asking after the end', () => {
  const ended = ['Delivered', 'Approved', 'Cancelled'].filter((status) =>
    hasEnded({ ...handover, status, at: '' }),
  )
  expect(ended).toEqual(['Approved', 'Cancelled'])
})

/** `localStorage`, whose keys are those of the object, as in a browser. */
function stubStorage(kept: Record<string, string> = {}) {
  const methods = {
    getItem: (name: string) => kept[name] ?? null,
    setItem: (name: string, text: string) => void Object.assign(kept, { [name]: text }),
    removeItem: (name: string) => void Reflect.deleteProperty(kept, name),
  }
  const storage = new Proxy(kept, {
    get: (_, name) => Reflect.get(methods, name),
  })
  vi.stubGlobal('localStorage', storage)
  return kept
}

const day = 24 * 60 * 60_000
const parcel = { ...handover, at: now().toISOString(), updatedAt: now().toISOString() }

test('R111: what a phone keeps of a parcel is shown to the same secret alone, which is not kept', async () => {
  const kept = stubStorage()
  const memory = await openMemory(link, now().getTime())
  memory.keep(parcel)
  expect((await openMemory(link, now().getTime())).last()).toEqual(parcel)
  const wrong = { ...link, secret: Buffer.alloc(16, 8).toString('base64url') }
  expect((await openMemory(wrong, now().getTime())).last()).toBeUndefined()
  expect(JSON.stringify(kept)).not.toContain(secret)
  memory.forget()
  expect(kept).toEqual({})
})

test('R111: a day after its end a parcel is forgotten, whichever link is opened', async () => {
  const kept = stubStorage({ 'soma-recipient:of-an-earlier-version': JSON.stringify(parcel) })
  const open = (await openMemory(link, now().getTime())).keep
  open({ ...parcel, status: 'Approved' })
  const other = { ...link, id: '019cb391-c200-7375-b911-5189b9f72e4e' }
  ;(await openMemory(other, now().getTime())).keep(parcel)
  await openMemory(other, now().getTime() + day - 1)
  expect(Object.keys(kept)).toHaveLength(2)
  await openMemory(other, now().getTime() + day + 1)
  expect(Object.keys(kept)).toEqual([expect.stringContaining(other.id)])
})
