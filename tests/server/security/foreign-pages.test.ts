import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { requestSchemaOf } from '#contract/queries.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { present } from '../../helpers/present.ts'
import { serverFixture } from '../server-fixture.ts'
import { formWithPhoto } from './photo-uploads.ts'

/* What a page of another site can send in its visitor's name, from their address (R148). */

const server = await serverFixture({ pages: async () => new Response('page') })

const changes = (Object.entries(endpoints) as [Op, Endpoint][]).filter(
  ([, { method }]) => method !== 'GET',
)
const withBody = changes.filter(([op]) => requestSchemaOf(op).body)

let tokens: Partial<Record<Endpoint['access'], string>>
beforeAll(async () => {
  const person = (await server.sender()).token
  const driver = (await server.driver()).token
  const admin = (await server.admin()).token
  const guest = (await server.guestDelivery()).token
  tokens = { person, driver, admin, office: admin, guest, 'person-or-guest': guest }
})

const send = (endpoint: Endpoint, headers: Record<string, string>, body?: string) => {
  const path = endpoint.path.replace(/:\w+/, v7())
  const token = tokens[endpoint.access]
  return server.raw(endpoint.method, path, { token, headers, body })
}
const outcome = async (answer: Response) => [answer.status, (await answer.json()).reason]

/** The types that a page may send to another site without asking it, and others that are no JSON. */
const otherTypes = [
  'text/plain',
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'text/json',
  'text/plain; application/json',
]

describe('R148: a body', () => {
  test.each(withBody)('of %s is taken as application/json only', async (_, endpoint) => {
    for (const type of otherTypes)
      expect([
        type,
        ...(await outcome(await send(endpoint, { 'content-type': type }, '{}'))),
      ]).toEqual([type, 415, 'not-json'])
    for (const type of ['application/json', 'Application/JSON ; charset=utf-8'])
      expect((await send(endpoint, { 'content-type': type }, '{}')).status).not.toBe(415)
  })

  test('without a type is refused, and an empty one is read as no body', async () => {
    const bytes = new Blob([JSON.stringify({ email: 'a@b.c', password: 'x' })])
    expect(await outcome(await server.raw('POST', '/login', { body: bytes }))).toEqual([
      415,
      'not-json',
    ])
    expect((await server.raw('POST', '/login')).status).toBe(400)
    const { token } = await server.sender()
    expect((await server.raw('POST', '/logout', { token })).status).toBe(200)
  })

  test('of a batch is taken as application/json only, and the image upload as a form', async () => {
    const headers = { 'content-type': 'text/plain' }
    const answer = await server.raw('POST', '/batch', { headers, body: '{"operations":[]}' })
    expect(await outcome(answer)).toEqual([415, 'not-json'])
    const form = formWithPhoto('soma')
    expect((await server.raw('POST', '/images/upload', { body: form })).status).toBe(200)
  })
})

describe('R148: from a page of another site', () => {
  const others: Endpoint[] = ['/batch', '/images/upload', '/../share'].map((path) => ({
    ...present(changes[0])[1],
    method: 'POST',
    access: 'anyone',
    path,
  }))
  const all = [...changes.map(([, endpoint]) => endpoint), ...others]

  test.each(all.map((each) => [`${each.method} ${each.path}`, each] as const))(
    '%s is refused before anything is done',
    async (_, endpoint) => {
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' }
      const before = server.sms.length
      expect(await outcome(await send(endpoint, headers, '{}'))).toEqual([403, 'cross-site'])
      expect(server.sms.length).toBe(before)
      for (const site of ['same-origin', 'same-site', 'none', undefined]) {
        const more: Record<string, string> = site === undefined ? {} : { 'sec-fetch-site': site }
        const answer = await send(endpoint, { 'content-type': 'application/json', ...more }, '{}')
        expect(await answer.text()).not.toContain('cross-site')
      }
    },
  )

  test('pages, lists and photos are read as ever', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const path of ['/zones', '/config', '/../send'])
      expect((await server.raw('GET', path, { headers })).status).toBe(200)
    expect((await server.raw('OPTIONS', '/images/upload', { headers })).status).toBe(204)
  })
})
