import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Endpoint, endpoints, type Op } from '#contract/endpoints.ts'
import { statusOf } from '#contract/errors.ts'
import { requestSchemaOf } from '#contract/queries.ts'
import { isReason } from '#domain/errors.ts'
import { present } from '../../helpers/present.ts'
import { table } from './access/access-table.ts'
import { ownToken } from './access/visible-fields.ts'
import {
  type AccessFixture,
  defaultTarget,
  type Role,
  startFrozenFixture,
  targetOf,
} from './access-fixture.ts'
import { anyValue, orders, place, text, tricky, valuesOf } from './odd-values.ts'

/* Odd values in any part of any call: never a 5xx, always a refusal in the common form (R76), no change. */

let fixture: AccessFixture
/** Identifies the database in its cursors. */
let epoch = ''
beforeAll(async () => {
  fixture = await startFrozenFixture()
  const { token } = fixture.admin
  const answer = await fixture.server.raw('GET', '/admin/deliveries', { token })
  epoch = `${present((await answer.json()).cursor)}`.split('-')[0] ?? ''
})
afterAll(() => fixture.server.close())

const seed = 20261122
const runs = 40

/** A role that may make the call. */
const callers: Record<Endpoint['access'], Role> = {
  anyone: 'none',
  'anyone-or-person': 'otherSender',
  person: 'otherSender',
  driver: 'otherDriver',
  admin: 'admin',
  guest: 'guestOf',
  'person-or-guest': 'guestOf',
  recipient: 'recipientOf',
}

type Sent = { path: string; body?: unknown; headers?: Record<string, string> }

/** Fails unless the response is one the call may give, or a refusal without internal details. */
async function expectNoFault(op: Op, { path, body, headers }: Sent) {
  const { method, access }: Endpoint = endpoints[op]
  const token = ownToken(fixture, callers[access])
  const answer = await fixture.server.raw(method, path, { token, body, headers })
  const said = await answer.text()
  expect(answer.status, said).toBeLessThan(500)
  if (answer.status < 400) return
  const json = JSON.parse(said)
  expect(Object.keys(json).sort()).toEqual(['error', 'reason'])
  expect(isReason(json.reason), said).toBe(true)
  expect(answer.status).toBe(statusOf[json.reason as keyof typeof statusOf])
  expect(said).not.toMatch(/\bat .*\.ts|select |insert |constraint|violates|syntax|undefined/i)
}

/** All data, as read by an admin and by an anonymous caller. */
async function everything() {
  const { token } = fixture.admin
  const paths = ['/zones', '/items', ...['stats', 'activities', 'users'].map((l) => `/admin/${l}`)]
  paths.push('/admin/disputes?status=all', '/admin/deliveries', '/admin/drivers')
  const answers = await Promise.all(
    paths.map(async (path) => (await fixture.server.raw('GET', path, { token })).json()),
  )
  // Cursors change without a change of the data.
  return answers.map(({ cursor: _, ...answer }) => answer)
}

const ops = Object.keys(endpoints) as Op[]
const fill = ({ path }: Endpoint, id: string) => path.replace(/:\w+/, encodeURIComponent(id))

async function property<T>(
  values: fc.Arbitrary<T>,
  hold: (value: T) => Promise<void>,
  numRuns = runs,
) {
  const before = await everything()
  await fc.assert(fc.asyncProperty(values, hold), { seed, numRuns })
  expect(await everything()).toEqual(before)
}

/** A well-formed body of this call and the ID it is about. */
async function goodBody(op: Op): Promise<[id: string, body: Record<string, unknown>]> {
  const { access }: Endpoint = endpoints[op]
  const role = callers[access]
  const target =
    op === 'completeDelivery'
      ? targetOf(fixture, 'account', 'Picked Up')
      : defaultTarget(fixture, role)
  const [probe] = table[op]
  const id = await probe?.id?.(fixture, target, ownToken(fixture, role))
  return [id ?? '', { ...probe?.body?.(fixture, target, ownToken(fixture, role)) }]
}

describe.each(ops)('%s', (op) => {
  const endpoint: Endpoint = endpoints[op]
  const { body: takes, query: asked } = requestSchemaOf(op)

  if (takes)
    test('with odd values in its body', async () => {
      const [id, good] = await goodBody(op)
      const fields = [...new Set([...Object.keys(good), 'idType', 'idNumber', 'idPhoto', 'type'])]
      const change = fc.dictionary(fc.constantFrom(...fields), anyValue, { minKeys: 1, maxKeys: 3 })
      await property(fc.oneof({ weight: 4, arbitrary: change }, anyValue), (odd) =>
        expectNoFault(op, {
          path: fill(endpoint, id),
          body: JSON.stringify(isRecord(odd) ? { ...good, ...odd } : odd),
        }),
      )
    })

  if (asked && 'shape' in asked._zod.def) {
    const fields = Object.keys(asked._zod.def.shape as object)
    test.each([...fields, 'search', 'sort'])('with odd values of %s', async (field) => {
      await property(
        valuesOf(field, () => epoch),
        (value) => {
          const params = new URLSearchParams([[field, value.toWellFormed()]])
          return expectNoFault(op, { path: `${fill(endpoint, '')}?${params}` })
        },
      )
    })
    if (fields.includes('sort'))
      test('with odd values of after in every order', async () => {
        const odd = fc.record({ after: place, sort: fc.constantFrom(...orders) })
        const ask = (pairs: Record<string, string>) =>
          expectNoFault(op, { path: `${fill(endpoint, '')}?${new URLSearchParams(pairs)}` })
        await property(odd, ask, 5 * runs)
      })

    test('with odd values of several fields at once', async () => {
      const odd = fc.dictionary(fc.constantFrom(...fields), fc.oneof(text, place))
      await property(odd, (values) => {
        const pairs = Object.entries(values).map(([name, value]) => [name, value.toWellFormed()])
        return expectNoFault(op, { path: `${fill(endpoint, '')}?${new URLSearchParams(pairs)}` })
      })
    })
  }

  if (endpoint.path.includes(':id'))
    test('with odd IDs', async () => {
      const [, good] = await goodBody(op)
      const id = text.map((each) => encodeURIComponent(each.toWellFormed()))
      const odd = fc.oneof(id, fc.constantFrom('%', '%zz', '%ff', '%00', '..', '%2e%2e'))
      await property(odd, (value) =>
        expectNoFault(op, {
          path: endpoint.path.replace(/:\w+/, value || '-'),
          body: takes ? good : undefined,
        }),
      )
    })

  test('with odd headers', async () => {
    const [id, good] = await goodBody(op)
    const value = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
      tricky.filter((each) => each.length < 500),
      fc.constantFrom('Bearer', 'Bearer x', `Bearer ${'u_'.padEnd(45, 'x')}`, 'Basic YTpi'),
    )
    const names = ['idempotency-key', 'occurred-at', 'if-none-match', 'user-agent']
    const odd = fc.dictionary(fc.constantFrom(...names, 'content-type', 'x-forwarded-for'), value)
    await property(odd, (headers) =>
      expectNoFault(op, {
        path: fill(endpoint, id),
        body: takes ? good : undefined,
        headers: legalHeaders(headers),
      }),
    )
  })
})

const someId = '019a0000-0000-7000-8000-000000000000'

/** Values that no row can have, by the sort whose list cursor holds them. */
const impossible: Record<string, unknown[]> = {
  createdAt: [
    '9999-99-99 00:00:00+00',
    '2026-02-29 00:00:00+00',
    '2026-01-01 24:00:00+00',
    '2026-01-01 00:00:00+15',
    '2026-01-01 00:00:60+00',
    '0000-01-01 00:00:00+00',
    'infinity',
    '',
    '0',
    0,
    null,
    { a: 1 },
  ],
  offer: ['2147483648', '-2147483649', '99999999999', '1.5', '1e3', 'NaN', '', null, { a: 1 }],
}

describe.each(Object.entries(impossible))('a place by %s that no row can have', (sort, values) => {
  const answerTo = async (place: unknown[], form: 'utf8' | 'base64url') => {
    const after = Buffer.from(JSON.stringify(place)).toString(form)
    const query = new URLSearchParams({ after, sort })
    const { token } = fixture.admin
    const answer = await fixture.server.raw('GET', `/admin/deliveries?${query}`, { token })
    return `${answer.status} ${(await answer.json()).reason}`
  }
  const forms = ['utf8', 'base64url'] as const
  test.each(values)('is refused: %j', async (value) => {
    for (const form of forms) expect(await answerTo([value, someId], form)).toBe('400 invalid')
  })
  test('is refused when its ID is none', async () => {
    const good = sort === 'offer' ? '1' : '2026-01-01 00:00:00+00'
    for (const id of ['', 'x', someId.toUpperCase(), [someId], 1, null, {}])
      for (const form of forms) expect(await answerTo([good, id], form)).toBe('400 invalid')
  })
})

/** Values that an HTTP client can send at all. */
function legalHeaders(headers: Record<string, string>) {
  const legal = Object.entries(headers).filter(([name, value]) => {
    try {
      new Headers([[name, value]])
      return true
    } catch {
      return false
    }
  })
  return Object.fromEntries(legal)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
