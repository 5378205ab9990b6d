import { afterEach, expect, test } from 'vitest'
import { limitsWith, looseLimits } from '#server/ports/limits.ts'
import { drain } from '#store/worker.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createClock, createLocks, createNetwork, createPhone } from '../../helpers/device/phone.ts'
import { startTestServer, testOptions } from '../../helpers/server/server.ts'

const servers: Awaited<ReturnType<typeof startTestServer>>[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** A phone whose address has used up its limits, and every request of it that the server answered with 429. */
async function hotPhone() {
  const { guestRequests, signups, uploads, resetRequests } = limitsWith({
    guestRequests: 1,
    signups: 1,
    uploads: 1,
    resetRequests: 1,
  })
  const limits = { ...looseLimits, guestRequests, signups, uploads, resetRequests }
  const challenge = { cost: 1, prefix: '0' }
  const server = await startTestServer(undefined, {
    options: { ...testOptions, limits, challenge },
  })
  servers.push(server)
  const body = { ...server.request(), senderName: 'Kofi', senderPhone: server.newPhone() }
  await server.raw('POST', '/guest/deliveries', { body })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16])]), 'photo')
  form.set('upload_preset', 'soma')
  await server.raw('POST', '/images/upload', { body: form })
  const requests: string[] = []
  const network = createNetwork(async (request) => {
    const proof = request.headers.has('x-challenge') ? ' solved' : ''
    const answer = await server.fetch(request)
    requests.push(`${new URL(request.url).pathname} ${answer.status}${proof}`)
    return answer
  })
  const clock = createClock()
  const phone = createPhone(network, { clock })
  await phone.start()
  return { server, network, phone, requests, clock }
}
type Hot = Awaited<ReturnType<typeof hotPhone>>

const requestsOfGuest = async ({ phone }: Hot, count: number) => {
  for (let n = 0; n < count; n++)
    await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
}
const states = async ({ phone }: Pick<Hot, 'phone'>) =>
  (await phone.db.outbox.toArray()).map(({ state }) => state)

test('S68: a challenge is solved and nobody sees it: a photo, a guest’s request and a sign-up go through', async () => {
  const hot = await hotPhone()
  await requestsOfGuest(hot, 1)
  await hot.phone.settle()
  expect(new Set(await states(hot))).toEqual(new Set(['done']))
  expect(hot.requests).toContain('/api/images/upload 429')
  expect(hot.requests).toContain('/api/images/upload 200 solved')
  expect(hot.requests).toContain('/api/guest/deliveries 429')
  expect(hot.requests).toContain('/api/guest/deliveries 201 solved')
  const phone_number = hot.server.newPhone()
  const email = `${phone_number}@example.com`
  const about = { name: 'Ama', email, password: 'long enough', phone_number }
  await hot.server.signUp('sender')
  await hot.phone.session.signup({ ...about, role: 'sender' })
  expect(hot.requests).toContain('/api/signup 201 solved')
  await hot.phone.session.requestReset(hot.server.newPhone())
  await hot.phone.session.requestReset(hot.server.newPhone())
  expect(hot.requests).toContain('/api/password/request-reset 200 solved')
  await hot.phone.kill()
})

test('S68: the worker solves too, with every tab closed', async () => {
  const hot = await hotPhone()
  hot.network.cut()
  await requestsOfGuest(hot, 1)
  await hot.phone.settle().catch(() => undefined)
  await hot.phone.kill()
  hot.network.restore()
  const { db } = hot.phone
  const about = { db, transport: hot.network.transport, clock: createClock(), locks: createLocks() }
  await drain('http://soma.test/api', { ...about, random: () => 0.5, isOffline: () => false })
  await db.open()
  expect(new Set(await states(hot))).toEqual(new Set(['done']))
  expect(hot.requests).toContain('/api/guest/deliveries 201 solved')
  db.close()
})

test('S69: entries of a batch whose lines bring challenges leave again, each with its solution', async () => {
  const hot = await hotPhone()
  const busy = () => Response.json({ error: 'Busy', reason: 'unavailable' }, { status: 503 })
  hot.network.setConditions((_, { path }) => (path.endsWith('/guest/deliveries') ? busy() : 'fine'))
  await requestsOfGuest(hot, 2)
  await hot.phone.engine.wake()
  hot.network.restore()
  hot.clock.pass(10 * 60_000)
  await hot.phone.settle()
  expect(new Set(await states(hot))).toEqual(new Set(['done']))
  const batches = hot.requests.filter((each) => each.startsWith('/api/batch'))
  expect(batches.length).toBeGreaterThan(1)
  expect(hot.requests.filter((each) => each.startsWith('/api/guest'))).toEqual([])
  const made = await hot.server.pool().query('select count(*)::int from deliveries')
  expect(made.rows[0].count).toBe(1 + 2)
  await hot.phone.kill()
})

test('S69: an entry whose solution is not taken waits as the server says, and nothing is asked without end', async () => {
  const hot = await hotPhone()
  const refusal = () =>
    Response.json(
      { error: 'Too many tries.', reason: 'too-many', challenge: { parameters: {} } },
      { status: 429, headers: { 'retry-after': '60', 'x-server-version': '1' } },
    )
  let asked = 0
  hot.network.setConditions((_, { path }) => {
    if (!path.endsWith('/guest/deliveries')) return 'fine'
    asked++
    return refusal()
  })
  await requestsOfGuest(hot, 2)
  await hot.phone.engine.wake()
  const isCreate = ({ op }: { op: string }) => op === 'createGuestDelivery'
  const creates = await hot.phone.db.outbox.filter(isCreate).toArray()
  expect(creates.map(({ state }) => state)).toEqual(['retrying', 'retrying'])
  expect(asked).toBeLessThanOrEqual(4)
  await hot.phone.kill()
})
