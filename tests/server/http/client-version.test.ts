import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { buildNumber } from '#contract/version.ts'
import { UpdateRequired } from '#contract/wire-errors.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { startDexieServer } from '../../helpers/server/dexie-server.ts'
import { testOptions } from '../../helpers/server/server.ts'
import { formWithPhoto } from '../security/photo-uploads.ts'
import { serverFixture } from '../server-fixture.ts'

const minimum = 20
const server = await serverFixture({ options: { ...testOptions, minClientVersion: minimum } })

type Route = { name: string; method: string; path: string; body?: () => unknown }
const routes: Route[] = [
  ...(Object.keys(endpoints) as Op[]).map((op) => {
    const { method, path }: Endpoint = endpoints[op]
    return { name: op, method, path: path.replace(/:\w+/, v7()) }
  }),
  { name: 'a batch', method: 'POST', path: '/batch', body: () => ({ operations: [] }) },
  { name: 'an upload', method: 'POST', path: '/images/upload', body: () => formWithPhoto('soma') },
  { name: 'a photo', method: 'GET', path: `/images/${'ab'.repeat(32)}.jpg` },
  { name: 'the event stream', method: 'GET', path: '/events' },
  { name: 'a path of nobody', method: 'GET', path: '/nowhere' },
]

/** The status of a call whose app says that it is of this version. */
async function status({ method, path, body }: Route, version?: string) {
  const headers = version === undefined ? undefined : { 'x-client-version': version }
  const answer = await server.raw(method, path, { headers, body: body?.() })
  return { status: answer.status, body: await answer.text() }
}

describe.each(routes)('$name', (route) => {
  const isServed = ['config', 'the event stream', 'logout'].includes(route.name)

  test(`R90: is ${isServed ? 'served to' : 'refused to'} an app that is too old`, async () => {
    for (const version of [`${minimum - 1}`, '0', '-1', '007']) {
      const answer = await status(route, version)
      if (isServed) expect(answer.status).not.toBe(426)
      else
        expect({ ...answer, body: JSON.parse(answer.body) }).toEqual({
          status: 426,
          body: { error: 'Update the app to continue.', reason: 'update' },
        })
    }
  })

  test('R90: is served as ever to the minimum, to newer apps, and to callers without a version', async () => {
    const plain = await status(route)
    expect(plain.status).not.toBe(426)
    for (const version of [`${minimum}`, `${minimum + 1}`, '999999', '', 'x', '1.5', '1e1', '0x1'])
      expect((await status(route, version)).status, version).toBe(plain.status)
  })
})

test('R90: an app that is too old ends its session', async () => {
  const token = await startedPerson('esi', '0241234568')
  const headers = { 'x-client-version': `${minimum - 1}` }
  expect((await server.raw('POST', '/logout', { token, headers, body: {} })).status).toBe(200)
  expect((await server.raw('GET', '/users/me', { token })).status).toBe(401)
})

test('R90: a refused call does nothing, and the same call takes effect after the update', async () => {
  const ama = await startedPerson()
  const key = v7()
  const send = (version: number) =>
    server.raw('POST', '/sender/deliveries', {
      token: ama,
      key,
      body: server.request(),
      headers: { 'x-client-version': `${version}` },
    })
  expect((await send(minimum - 1)).status).toBe(426)
  expect(await server.repo.read(({ deliveries }) => deliveries.get(key))).toBeUndefined()
  const after = await send(minimum)
  expect([after.status, after.headers.get('idempotent-replayed')]).toEqual([201, null])
})

/** The token of a verified sender. */
async function startedPerson(name = 'ama', phone_number = '0241234567'): Promise<string> {
  const answer = await server.raw('POST', '/signup', {
    body: {
      name: 'Ama',
      email: `${name}@example.com`,
      password: 'a long password',
      phone_number,
      role: 'sender',
    },
  })
  const { token } = await answer.json()
  const code = server.codeSentTo(phone_number)
  await server.raw('POST', '/verify/confirm', { body: { phone_number, code } })
  return token
}

test('R90: our own app reads which version is asked for, and that it must update', async () => {
  const { value } = await server.ask('config')
  expect(value?.minClientVersion).toBe(minimum)
  expect(buildNumber).toBeLessThan(minimum)
  await expect(server.ask('zones')).rejects.toBeInstanceOf(UpdateRequired)
})

test('R90: without a minimum every version is served and none is named', async () => {
  const other = await startDexieServer()
  const answer = await other.raw('GET', '/zones', { headers: { 'x-client-version': '0' } })
  expect(answer.status).toBe(200)
  expect(await (await other.raw('GET', '/config')).json()).not.toHaveProperty('minClientVersion')
  await other.close()
})
