import { afterEach, expect, test } from 'vitest'
import { defaultLimits, limitsWith, looseLimits } from '#server/ports/limits.ts'
import type { Options } from '#server/ports/ports.ts'
import { work } from '#sync/challenge/work.ts'
import { decodingUploads, photoForm, picture } from '../../helpers/pictures.ts'
import { batchLines, operation } from '../../helpers/server/batch.ts'
import {
  type Person,
  type RawQuestion,
  startTestServer,
  type TestServer,
  testOptions,
} from '../../helpers/server/server.ts'

const minute = 60_000
/** Sixteen keys on average. */
const challenge = { cost: 1, prefix: '0' }
const address = '41.66.1.1'

const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0).reverse()) await server.close()
})

/** A server with these limits alone, which asks for proof of work. */
async function limited(
  tries: Parameters<typeof limitsWith>[0],
  over: Partial<Options> = {},
  on?: TestServer,
) {
  const names = Object.keys(tries) as (keyof typeof tries)[]
  const some = Object.fromEntries(names.map((name) => [name, limitsWith(tries)[name]]))
  const options = { ...testOptions, limits: { ...looseLimits, ...some }, challenge, ...over }
  const server = await startTestServer(on?.database, { ...decodingUploads(), options })
  servers.push(server)
  return server
}

type Ask = (about?: RawQuestion) => Promise<Response>
const withSolution = (solution: string, from = address): RawQuestion => ({
  address: from,
  headers: { 'x-challenge': solution },
})

const guestRequest =
  (server: TestServer): Ask =>
  (about) =>
    server.raw('POST', '/guest/deliveries', {
      address,
      ...about,
      body: { ...server.request(), senderName: 'Kofi', senderPhone: server.newPhone() },
    })

const signup =
  (server: TestServer): Ask =>
  (about) => {
    const phone_number = server.newPhone()
    const email = `${phone_number}@example.com`
    const body = { name: 'Ama', email, password: 'long enough', role: 'sender', phone_number }
    return server.raw('POST', '/signup', { address, ...about, body })
  }

const reset =
  (server: TestServer, path: string, name = 'phone_number'): Ask =>
  (about) =>
    server.raw('POST', path, { address, ...about, body: { [name]: server.newPhone() } })

const uploadBy =
  (server: TestServer, token?: string): Ask =>
  async (about) =>
    server.raw('POST', '/images/upload', {
      address,
      ...about,
      token,
      body: photoForm(await picture(), 'soma'),
    })

/** The solution of the challenge in a refusal. */
async function solutionOf(refused: Response): Promise<string> {
  const body = await refused.json()
  expect([refused.status, typeof body.challenge]).toEqual([429, 'object'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  return work(body.challenge)
}

test('R143: more guests and sign-ups of one address than its limits get through by solving, and else are refused', async () => {
  const { guestRequests, signups } = defaultLimits
  expect([guestRequests.tries, signups.tries]).toEqual([300, 100])
  const server = await limited({ guestRequests: 30, signups: 10 })
  let refused = 0
  const getThrough = async (ask: Ask) => {
    const first = await ask()
    if (first.status === 201) return
    refused++
    expect((await ask(withSolution(await solutionOf(first)))).status).toBe(201)
  }
  const all = async (count: number, ask: Ask) => {
    const waiting = Array.from({ length: count }, () => ask)
    const next = async (): Promise<void> => {
      for (let one = waiting.pop(); one; one = waiting.pop()) await getThrough(one)
    }
    await Promise.all(Array.from({ length: 8 }, next))
  }
  await all(40, guestRequest(server))
  expect(refused).toBe(40 - 30)
  await all(20, signup(server))
  expect(refused).toBe(40 - 30 + 20 - 10)
})

test('R143: every call that is limited by address can be solved, an upload too', async () => {
  const tries = { guestRequests: 1, signups: 1, resetRequests: 1, uploads: 1 }
  const server = await limited(tries)
  const resets = [
    reset(server, '/password/request-reset'),
    reset(server, '/verify/resend'),
    reset(server, '/guest/recover', 'guestPhone'),
  ]
  await resets[0]?.()
  for (const ask of [guestRequest(server), signup(server), uploadBy(server)])
    expect((await ask()).ok).toBe(true)
  const calls = [guestRequest(server), signup(server), ...resets, uploadBy(server)]
  for (const ask of calls) {
    const solution = await solutionOf(await ask())
    expect((await ask(withSolution(solution))).ok).toBe(true)
  }
  const refused = await (await uploadBy(server)()).json()
  expect(typeof refused.error.message).toBe('string')
})

test('R143: a solution works once, for one address, for ten minutes, at any server process', async () => {
  const one = await limited({ guestRequests: 1 })
  const two = await limited({ guestRequests: 1 }, {}, one)
  const other = '41.66.1.2'
  for (const each of [address, other])
    expect((await guestRequest(one)({ address: each })).status).toBe(201)
  const next = async () => solutionOf(await guestRequest(one)())
  const status = async (server: TestServer, ...about: Parameters<typeof withSolution>) =>
    (await guestRequest(server)(withSolution(...about))).status

  const first = await next()
  expect(await status(one, first, other)).toBe(429)
  const both = [status(one, first), status(two, first), status(two, first)]
  expect((await Promise.all(both)).sort()).toEqual([201, 429, 429])
  expect(await status(one, first)).toBe(429)
  const late = await next()
  const soon = await next()
  for (const { clock } of [one, two]) clock.advance(10 * minute - 5_000)
  expect(await status(two, soon)).toBe(201)
  for (const { clock } of [one, two]) clock.advance(10_000)
  expect(await status(two, late)).toBe(429)
})

test('R143: what was not given out or not solved is refused', async () => {
  const server = await limited({ guestRequests: 1 }, { challenge: { cost: 1, prefix: '00' } })
  const ask = guestRequest(server)
  await ask()
  const { challenge: given } = await (await ask()).json()
  const changed = { ...given, parameters: { ...given.parameters, keyPrefix: '0' } }
  const unsigned = { parameters: changed.parameters }
  const encode = (value: unknown) => btoa(JSON.stringify(value))
  const solutions = [
    await work(changed),
    await work(unsigned),
    encode({ challenge: given, solution: { counter: 1, derivedKey: '00'.repeat(32) } }),
    encode({ challenge: given }),
    encode(null),
    'not base64 €',
    encode({ challenge: given, solution: 'x'.repeat(5_000) }),
  ]
  for (const solution of solutions) {
    // A header holds no other characters.
    const sent = encodeURI(solution)
    expect((await ask(withSolution(sent))).status).toBe(429)
  }
  expect((await ask(withSolution(await work(given)))).status).toBe(201)
})

test('R143: a challenge is harder as its address gets hotter, up to sixteen times', async () => {
  const server = await limited({ guestRequests: 2 })
  const ask = guestRequest(server)
  const costs: number[] = []
  for (let n = 0; n < 40; n++) {
    const first = await ask()
    if (first.status === 201) continue
    costs.push((await first.clone().json()).challenge.parameters.cost)
    expect((await ask(withSolution(await solutionOf(first)))).status).toBe(201)
  }
  expect(costs.slice(0, 8)).toEqual([1, 2, 2, 2, 2, 4, 4, 4])
  expect(costs.at(-1)).toBe(16)
})

test('R143: an account with a verified phone is counted by itself and never asked for a solution', async () => {
  const server = await limited({ uploads: 2 })
  const [ama, efua]: Person[] = [await server.sender(), await server.signUp('sender')]
  const upload = (by?: Person) => uploadBy(server, by?.token)
  for (let n = 0; n < 2; n++) expect((await upload()()).status).toBe(200)
  await solutionOf(await upload()())
  await solutionOf(await upload(efua)())
  for (let n = 0; n < 2; n++) expect((await upload(ama)()).status).toBe(200)
  const refused = await upload(ama)()
  expect([refused.status, (await refused.json()).challenge]).toEqual([429, undefined])
})

test('R143: an operation of a batch carries its own solution, and those that need none are served', async () => {
  const server = await limited({ guestRequests: 1 })
  const create = () => {
    const body = { ...server.request(), senderName: 'Kofi', senderPhone: server.newPhone() }
    return operation('POST', '/guest/deliveries', { body })
  }
  const operations = [create(), create(), create()]
  const ask = (asked: typeof operations) => batchLines(server, asked, { address })
  const lines = await ask(operations)
  const statuses = lines.map(({ status }) => status)
  expect([...statuses].sort()).toEqual([201, 429, 429])
  const again = await Promise.all(
    operations.map(async (each, at) => {
      const body = lines[at]?.body as { challenge?: object }
      return { ...each, challenge: body.challenge && (await work(body.challenge)) }
    }),
  )
  expect((await ask(again)).map(({ status }) => status)).toEqual([201, 201, 201])
})

test('R143: without challenges a limit is a plain 429, whatever is sent', async () => {
  const server = await limited({ guestRequests: 1, uploads: 1 }, { challenge: undefined })
  const asking = await limited({ guestRequests: 1 }, {}, server)
  await guestRequest(asking)()
  const solution = await solutionOf(await guestRequest(asking)())
  await uploadBy(server)()
  for (const ask of [guestRequest(server), uploadBy(server)]) {
    const refused = await ask(withSolution(solution))
    const body = await refused.json()
    expect([refused.status, body.reason, body.challenge]).toEqual([429, 'too-many', undefined])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
})
