import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { requestSchemaOf } from '#contract/queries.ts'
import { statusOf } from '#contract/wire-errors.ts'
import { isReason } from '#domain/errors.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { photo, usesPostgres } from '../../helpers/server/server.ts'
import { unknownId } from './access/access-rows.ts'
import { table } from './access/access-table.ts'
import { ownToken } from './access/visible-fields.ts'
import { type AccessFixture, callers, defaultTarget, targetOf } from './access-fixture.ts'
import { anyValue, orders, place, text, tricky, valuesOf } from './bad-values.ts'

const ops = Object.keys(endpoints) as Op[]
const lineOf = (op: Op): Endpoint => endpoints[op]
const pathOf = (op: Op, id: string) => lineOf(op).path.replace(/:\w+/, id)

/** The longest text of fields with a limit of their own, in characters. */
const longest: Record<string, number> = {
  name: 200,
  senderName: 200,
  recipientName: 200,
  email: 254,
}
const ofLength = (field: string, length: number) =>
  field === 'email' ? `${'e'.repeat(length - 12)}@example.com` : 'n'.repeat(length)

/** Calls to which an odd text is a well-formed one: of no account, or of no delivery. */
const anyText: Partial<Record<Op, RegExp>> = {
  login: /^40[01]/,
  completeDelivery: /^40[04]/,
  // `null` puts the job back on offer.
  assignDriver: /^40[04]/,
}

const notJson = ['{', '{"a":', 'name=x', '\u0000', '[1,2', '{"a":1}}']
const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
const otherForms = ['[]', '"text"', '12', 'null', '{}', '{"code":1,"status":2,"name":[]}', deep]
const withLength = (characters: number) => JSON.stringify({ name: 'x'.repeat(characters) })
const badIds = [
  'x',
  '1',
  "'; drop table users; --",
  '../zones',
  '%00',
  'null',
  '-1',
  'a'.repeat(2_000),
]
const forgedTokens = [`u_${'A'.repeat(43)}`, `g_${'A'.repeat(43)}`, 'x', 'a'.repeat(5_000)]

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

/** Status and reason of a refusal; fails when it does not have the form of R76. */
async function refusal(answer: Response | Promise<Response>): Promise<string> {
  const response = await answer
  const said = await response.text()
  const body = JSON.parse(said)
  expect(Object.keys(body).sort(), said).toEqual(['error', 'reason'])
  expect(isReason(body.reason), said).toBe(true)
  expect(response.status).toBe(statusOf[body.reason as keyof typeof statusOf])
  expect(body.error).toMatch(/^[A-Z].*[.:\w]$/)
  expect(said).not.toMatch(
    /\bat .*\.ts|select .* from |insert into |constraint|violates|syntax|undefined/i,
  )
  return `${response.status} ${body.reason}`
}

/** As `refusal`, where the call may also succeed. */
const refusalOrDone = async (answer: Promise<Response>) =>
  (await answer).ok ? 'done' : refusal(answer)

/**
 * Bad input of every kind to every call of the endpoint table: never a 5xx, always a refusal in the common form (R76), and
 * no change. `runs`: of each property of generated values.
 */
export function badInputTests(fixture: () => AccessFixture, runs: number) {
  const raw = (op: Op, path: string, about: object = {}) =>
    fixture().server.raw(lineOf(op).method, path, about)
  const tokenFor = (op: Op) => ownToken(fixture(), callers[lineOf(op).access])

  /** A well-formed body of this call and the ID it is about. */
  async function sample(op: Op): Promise<[id: string, body: Record<string, unknown>]> {
    const target =
      op === 'completeDelivery'
        ? targetOf(fixture(), 'account', 'Picked Up')
        : defaultTarget(fixture(), callers[lineOf(op).access])
    const [probe] = table[op]
    const id = await probe?.id?.(fixture(), target, tokenFor(op))
    return [id ?? '', { ...probe?.body?.(fixture(), target, tokenFor(op)) }]
  }

  /** All data, as an admin reads them. */
  async function everything() {
    const { token } = fixture().admin
    const paths = [
      '/zones',
      '/items',
      ...['stats', 'activities', 'users'].map((l) => `/admin/${l}`),
    ]
    paths.push('/admin/disputes?status=all', '/admin/deliveries', '/admin/drivers')
    const answers = await Promise.all(
      paths.map(async (path) => (await fixture().server.raw('GET', path, { token })).json()),
    )
    // Cursors, and what is late, change without a change of the data.
    return answers.map(({ cursor: _, stats, ...answer }) =>
      stats ? { ...answer, stats: { ...stats, work: undefined } } : answer,
    )
  }
  let before: unknown
  beforeAll(async () => {
    before = await everything()
  })

  const property = <T>(values: fc.Arbitrary<T>, hold: (value: T) => Promise<unknown>, times = 1) =>
    fc.assert(
      fc.asyncProperty(values, async (value) => void (await hold(value))),
      { seed: 20261122, numRuns: times * runs },
    )
  const ask = (op: Op, path: string, about: object = {}) =>
    refusalOrDone(raw(op, path, { token: tokenFor(op), ...about }))

  // In the demo's page nobody is told with the app closed: the call refuses everything.
  const served = ops.filter((op) => usesPostgres || op !== 'subscribe')
  describe.each(served)('%s', (op) => {
    const { method, path, access } = lineOf(op)
    const { body: schema, query } = requestSchemaOf(op)
    const isAllowed = (body: unknown) => schema === undefined || schema.safeParse(body).success
    const send = (body: unknown, headers = {}) =>
      raw(op, pathOf(op, unknownId()), { token: tokenFor(op), body, headers })

    if (method !== 'GET')
      test('refuses what is no JSON, has another form or more than 64 kB (R67), and invalid headers', async () => {
        for (const body of notJson) expect(await refusal(send(body)), body).toBe('400 malformed')
        for (const body of otherForms) {
          const said = await refusalOrDone(send(body))
          if (!isAllowed(JSON.parse(body))) expect(said, body.slice(0, 40)).toBe('400 invalid')
        }
        expect(await refusal(send(withLength(64 * 1024)))).toBe('413 too-large')
        for (const headers of [{ 'occurred-at': 'yesterday' }, { 'idempotency-key': '1' }])
          expect(await refusal(send({}, headers))).toBe('400 invalid')
      })

    if (schema)
      test('refuses each field that is missing, of another type, too long, or holds a NUL', async () => {
        const [, good] = await sample(op)
        for (const [field, value] of Object.entries(good)) {
          const { [field]: _, ...without } = good
          if (!isAllowed(without)) expect(await refusal(send(without)), field).toBe('400 invalid')
          // Of a setting null is the removal (R204).
          const bad = [
            op === 'changeSettings' ? 0 : null,
            { a: 1 },
            [],
            true,
            'x'.repeat(1_001),
            'a\u0000b',
          ]
          if (longest[field]) bad.push(ofLength(field, longest[field] + 1))
          bad.push((typeof value === 'number' ? '60' : 7) as never)
          for (const each of bad.filter((each) => !isOfSameType(each, value)))
            expect(
              await refusal(send({ ...good, [field]: each })),
              `${field}: ${JSON.stringify(each).slice(0, 40)}`,
            ).toMatch(
              ((typeof each === 'string' || each === null) && anyText[op]) ||
                /^400 (invalid|.*not-hosted)/,
            )
        }
      })

    if (schema)
      test('stands odd values in its body', async () => {
        const [id, good] = await sample(op)
        const fields = [...new Set([...Object.keys(good), 'idType', 'idNumber', 'idPhoto', 'type'])]
        const change = fc.dictionary(fc.constantFrom(...fields), anyValue, {
          minKeys: 1,
          maxKeys: 3,
        })
        await property(fc.oneof({ weight: 4, arbitrary: change }, anyValue), (odd) =>
          ask(op, pathOf(op, id), {
            body: JSON.stringify(isRecord(odd) ? { ...good, ...odd } : odd),
          }),
        )
      })

    if (query && 'shape' in query._zod.def) {
      const fields = Object.keys(query._zod.def.shape as object)
      const askFor = (pairs: Record<string, string>) => {
        const wellFormed = Object.entries(pairs).map(([name, value]) => [
          name,
          value.toWellFormed(),
        ])
        return ask(op, `${path}?${new URLSearchParams(wellFormed)}`)
      }
      test('stands odd values in its query', async () => {
        const { cursor } = await (
          await raw('adminDeliveries', '/admin/deliveries', { token: fixture().admin.token })
        ).json()
        /** Identifies the database in its cursors. */
        const epoch = `${cursor}`.split('-')[0] ?? ''
        for (const field of [...fields, 'search', 'sort'])
          await property(
            valuesOf(field, () => epoch),
            (value) => askFor({ [field]: value }),
          )
        if (fields.includes('sort'))
          await property(fc.record({ after: place, sort: fc.constantFrom(...orders) }), askFor, 5)
        await property(fc.dictionary(fc.constantFrom(...fields), fc.oneof(text, place)), askFor)
      })
    }

    if (path.includes(':'))
      test('is 404 for an unknown ID, and stands odd ones', async () => {
        const [, good] = await sample(op)
        const body = method === 'GET' ? undefined : good
        if (path.includes(':id'))
          for (const id of [unknownId(), ...badIds])
            expect(
              await refusal(
                raw(op, pathOf(op, encodeURIComponent(id)), { token: tokenFor(op), body }),
              ),
              id,
            ).toBe('404 not-found')
        const encoded = text.map((each) => encodeURIComponent(each.toWellFormed()))
        const odd = fc.oneof(encoded, fc.constantFrom('%', '%zz', '%ff', '%00', '..', '%2e%2e'))
        await property(odd, (value) => ask(op, pathOf(op, value || '-'), { body }))
      })

    if (access === 'anyone-or-person')
      test('treats a dead or malformed token as none', async () => {
        const body = method === 'GET' ? undefined : { phone_number: '0240000077', code: '000000' }
        const said = async (token?: string) => {
          // The limits of one round are over.
          fixture().server.clock.advance(15 * 60_000)
          const answer = await raw(op, path, { token, body })
          return [answer.status, await answer.text()]
        }
        const without = await said()
        for (const token of [...forgedTokens, fixture().otherGuest.token])
          expect(await said(token)).toEqual(without)
      })
    else if (access !== 'anyone')
      test('refuses forged, malformed and missing tokens', async () => {
        const { token } = fixture().otherSender
        const headers = ['Basic abc', token, 'Bearer', 'Bearer  ', `Bearer ${token} x`]
        const body = method === 'GET' ? undefined : {}
        for (const about of [
          ...[undefined, ...forgedTokens, `${token}x`].map((each) => ({ token: each, body })),
          ...headers.map((authorization) => ({ headers: { authorization } })),
        ])
          expect(await refusal(raw(op, pathOf(op, unknownId()), about))).toBe('401 no-session')
      })

    test('stands odd headers', async () => {
      const [id, good] = await sample(op)
      const value = fc.oneof(
        fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
        tricky.filter((each) => each.length < 500),
        fc.constantFrom('Bearer', 'Bearer x', `Bearer ${'u_'.padEnd(45, 'x')}`, 'Basic YTpi'),
      )
      const names = ['idempotency-key', 'occurred-at', 'if-none-match', 'user-agent']
      const odd = fc.dictionary(fc.constantFrom(...names, 'content-type', 'x-forwarded-for'), value)
      await property(odd, (headers) =>
        ask(op, pathOf(op, id), {
          body: schema ? good : undefined,
          headers: legalHeaders(headers),
        }),
      )
    })
  })

  test('none of this has changed anything', async () => {
    expect(await everything()).toEqual(before)
  })

  const guestRequest = () => fixture().server.guestRequest()
  const create = (over: object) =>
    raw('createDelivery', '/sender/deliveries', {
      token: fixture().otherSender.token,
      body: { ...fixture().server.request(), ...over },
    })

  test.each(Object.entries(longest))('%s may have %i characters', async (field, most) => {
    const isOfPerson = field === 'name' || field === 'email'
    const person = {
      name: 'N',
      email: 'longest@example.com',
      password: 'long enough',
      role: 'driver',
      phone_number: fixture().server.newPhone(),
      idType: 'passport',
      idNumber: field === 'name' ? 'AB123456' : 'AB123457',
      idPhoto: photo,
    }
    const op = isOfPerson ? 'signup' : 'createGuestDelivery'
    const body = { ...(isOfPerson ? person : guestRequest()), [field]: ofLength(field, most) }
    expect((await raw(op, lineOf(op).path, { body })).status).toBe(201)
  })

  test.each([
    ['offer', [0, -1, 100_000.01, 1.234, 1e300]],
    ['recipientPhone', ['024412345', '02441234567', '+233244123456']],
    ['dropoffZone', ['Osu']],
    ['pickupZone', ['  ']],
    ['itemDescription', ['']],
    ['recipientName', ['   ']],
  ] as [string, unknown[]][])('%s of a request may not be %j', async (field, values) => {
    for (const value of values)
      expect(await refusal(create({ [field]: value })), `${value}`).toBe('400 invalid')
  })

  test('texts may be in any language, and are answered unchanged; an offer is from 1 to 100,000 cedis', async () => {
    const itemDescription = 'Ɔkɔ 📦 "quoted" \\ <b>bold</b> %_ \u202e'
    for (const offer of [1, 100_000]) {
      const answer = await create({ itemDescription, offer })
      expect((await answer.json()).delivery).toMatchObject({ itemDescription, offer })
    }
  })

  test.each(Object.entries(impossible))(
    'a place by %s that no row can have is refused',
    async (sort, values) => {
      const id = unknownId()
      const good = sort === 'offer' ? '1' : '2026-01-01 00:00:00+00'
      const badId = ['', 'x', id.toUpperCase(), [id], 1, null, {}].map((each) => [good, each])
      for (const each of [...values.map((value) => [value, id]), ...badId])
        for (const form of ['utf8', 'base64url'] as const) {
          const after = Buffer.from(JSON.stringify(each)).toString(form)
          const at = `/admin/deliveries?${new URLSearchParams({ after, sort })}`
          const { token } = fixture().admin
          expect(await refusal(raw('adminDeliveries', at, { token })), after).toBe('400 invalid')
        }
    },
  )

  test('R76: unknown paths and methods are 404 and 405 in JSON', async () => {
    const { token } = fixture().admin
    const { server } = fixture()
    for (const path of [
      '/nowhere',
      '/zones/',
      '/deliveries',
      '/admin',
      '//zones',
      '/zones/../users',
    ])
      expect(await refusal(server.raw('GET', path, { token })), path).toBe('404 not-found')
    for (const [method, path] of [
      ['DELETE', '/zones'],
      ['POST', '/users/me'],
      ['PUT', '/login'],
      ['GET', '/login'],
      ['PATCH', '/admin/zones'],
      ['GET', '/admin/zones/x'],
      ['DELETE', `/deliveries/${unknownId()}`],
    ] as const) {
      const answer = await server.raw(method, path)
      expect(answer.headers.get('allow'), path).toMatch(/[A-Z]+/)
      expect(await refusal(answer), path).toBe('405 method-not-allowed')
    }
  })

  test('a dead token does not block a login', async () => {
    const { email, password } = fixture().spare
    const body = { email, password }
    const token = 'u_dead-dead-dead-dead-dead'
    expect((await raw('login', '/login', { body, token })).status).toBe(200)
  })

  test('R67: over a real connection 10 MB get a 413 response, not a broken connection', async () => {
    const { origin } = await fixture().server.listen()
    const answer = await fetch(`${origin}/api/login`, {
      method: 'POST',
      body: withLength(10_000_000),
    })
    expect(await refusal(answer)).toBe('413 too-large')
    expect((await fetch(`${origin}/api/zones`)).status).toBe(200)
  })
}

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

const isOfSameType = (one: unknown, other: unknown) =>
  typeof one !== 'string' &&
  one !== null &&
  typeof one === typeof other &&
  Array.isArray(one) === Array.isArray(other)
