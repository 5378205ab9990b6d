import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { type Endpoint, endpoints, type Op } from '#contract/endpoints.ts'
import { statusOf } from '#contract/errors.ts'
import { requestSchemaOf } from '#contract/queries.ts'
import { isReason } from '#domain/errors.ts'
import { photo, present } from '../../helpers/server/server.ts'
import { serverFixture } from '../server-fixture.ts'

const server = await serverFixture()
const ama = await server.sender()
const yaw = await server.driver()
const admin = await server.admin()
const guest = await server.guestDelivery()
const listener = await server.listen()

const table: [Op, Endpoint][] = Object.entries(endpoints).map(([op, line]) => [op as Op, line])
const changing = table.filter(([, { method }]) => method !== 'GET')

/** The token of a caller who may make this call. */
function tokenFor({ access }: Endpoint): string | undefined {
  if (access === 'anyone') return undefined
  if (access === 'admin') return admin.token
  if (access === 'guest') return guest.token
  return access === 'driver' ? yaw.token : ama.token
}

async function anotherToken() {
  const { value } = await server.ask('login', {
    body: { email: ama.email, password: ama.password },
  })
  return present(value).token
}

const pathOf = ({ path }: Endpoint, id: string = v7()) => path.replace(/:\w+/, id)

/** Status and reason of a refusal; fails when it does not have the form of R76. */
async function refusal(answer: Response | Promise<Response>) {
  const response = await answer
  const text = await response.text()
  const body = JSON.parse(text)
  expect(Object.keys(body).sort(), text).toEqual(['error', 'reason'])
  expect(isReason(body.reason), text).toBe(true)
  expect(response.status).toBe(statusOf[body.reason as keyof typeof statusOf])
  expect(body.error).toMatch(/^[A-Z].*[.:\w]$/)
  expect(text).not.toMatch(/\bat .*\.ts|select |insert |constraint|violates|undefined/i)
  return `${response.status} ${body.reason}`
}

/** Calls whose every field may be left out. */
const needsNothing: Op[] = ['startReturn', 'confirmReturn', 'changeDriverCard']

/** The number of rows of each table: bad input must not add any. */
async function everyRow() {
  const { rows } = await server.pool().query(
    `select (select count(*) from users) u, (select count(*) from deliveries) d,
      (select count(*) from disputes) p, (select count(*) from zones) z, (select count(*) from items) i,
      (select count(*) from transfers) t, (select count(*) from activities) a, (select count(*) from sessions) s`,
  )
  return rows[0]
}

describe.each(changing)('%s', (op, line) => {
  const send = async (body: unknown, headers: Record<string, string> = {}) => {
    // A logout needs no body, and ends the token.
    const token = op === 'logout' ? await anotherToken() : tokenFor(line)
    return server.raw(line.method, pathOf(line), {
      token,
      body,
      headers: { 'idempotency-key': v7(), ...headers },
    })
  }

  test('refuses a body that is not JSON', async () => {
    const before = await everyRow()
    const logins = op === 'logout' ? 6 : 0
    for (const body of ['{', '{"a":', 'name=x', '\u0000', '[1,2', '{"a":1}}'])
      expect(await refusal(send(body))).toBe('400 malformed')
    expect(await everyRow()).toEqual({ ...before, s: `${Number(before.s) + logins}` })
  })

  test('refuses JSON of another form', async () => {
    const before = await everyRow()
    const bodies = ['[]', '"text"', '12', 'null']
    // Calls that need nothing of their body take an empty one, and leave out what they do not know.
    if (!needsNothing.includes(op)) bodies.push('{}', '{"code":1,"status":2,"name":[]}')
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    for (const body of [...bodies, deep]) {
      const said = await refusalOrDone(send(body))
      if (requestSchemaOf(op).body) expect(said).toBe('400 invalid')
    }
    expect((await everyRow()).d).toBe(before.d)
  })

  test('R67: refuses 10 MB', async () => {
    const big = JSON.stringify({ name: 'x'.repeat(10_000_000) })
    expect(await refusal(send(big))).toBe('413 too-large')
  })

  test('refuses an invalid Occurred-At and an invalid key', async () => {
    expect(await refusal(send({}, { 'occurred-at': 'yesterday' }))).toBe('400 invalid')
    expect(await refusal(send({}, { 'idempotency-key': '1' }))).toBe('400 invalid')
  })
})

/** A call without a body schema may succeed or be refused. */
async function refusalOrDone(answer: Promise<Response>) {
  const response = await answer
  return response.ok ? `${response.status}` : refusal(response)
}

const guarded = table.filter(
  ([, { access }]) => access !== 'anyone' && access !== 'anyone-or-person',
)
test.each(guarded)('%s refuses forged, malformed and missing tokens', async (_op, line) => {
  const forged = `u_${'A'.repeat(43)}`
  const tokens = [undefined, forged, `g_${'A'.repeat(43)}`, 'x', `${ama.token}x`, 'a'.repeat(5_000)]
  for (const token of tokens)
    expect(
      await refusal(
        server.raw(line.method, pathOf(line), {
          token,
          body: line.method === 'GET' ? undefined : {},
        }),
      ),
    ).toBe('401 no-session')
  for (const authorization of [
    'Basic abc',
    ama.token,
    'Bearer',
    'Bearer  ',
    `Bearer ${ama.token} x`,
  ]) {
    const headers = { authorization }
    expect(await refusal(server.raw(line.method, pathOf(line), { headers }))).toBe('401 no-session')
  }
})

const withId = table.filter(([, { path }]) => path.includes(':id'))
test.each(withId)('%s is 404 for an unknown or invalid ID', async (op, line) => {
  const good: Partial<Record<Op, object>> = {
    completeDelivery: { code: '12345' },
    changeStatus: { status: 'Approved' },
    reviewDriver: { status: 'approved' },
    resolveDispute: { status: 'resolved', resolution: 'Settled' },
    changeGuestStatus: { status: 'Approved', guestPhone: guest.phone },
    releaseJob: { reason: 'No time' },
    reportAttempt: { reason: 'absent' },
    rateDelivery: { stars: 4 },
  }
  const ids = [
    v7(),
    'x',
    '1',
    "'; drop table users; --",
    '../zones',
    '%00',
    'null',
    '-1',
    'a'.repeat(2_000),
  ]
  for (const id of ids) {
    const path = pathOf(line, encodeURIComponent(id))
    const about = { token: tokenFor(line), body: line.method === 'GET' ? undefined : good[op] }
    expect(await refusal(server.raw(line.method, path, about)), id).toBe('404 not-found')
  }
})

const optional = table.filter(([, { access }]) => access === 'anyone-or-person')
test.each(optional)('%s treats an ended or malformed token as none', async (_op, line) => {
  const send = async (token?: string) => {
    const body = { phone_number: '0240000077', code: '000000' }
    const answer = await server.raw(line.method, pathOf(line), { token, body })
    return [answer.status, await answer.text()]
  }
  const without = await send()
  for (const token of [`u_${'A'.repeat(43)}`, guest.token, 'x', 'a'.repeat(5_000)]) {
    server.clock.advance(15 * 60_000)
    expect(await send(token)).toEqual(without)
  }
})

/** An odd e-mail is a failed login; an odd code would be a wrong one for an existing delivery. */
const wild: Partial<Record<Op, RegExp>> = { login: /40[01]/, completeDelivery: /40[04]/ }

/** The longest text of fields with a limit of their own, in characters. */
const longest: Record<string, number> = {
  name: 200,
  senderName: 200,
  recipientName: 200,
  email: 254,
}
const ofLength = (field: string, length: number) =>
  field === 'email' ? `${'e'.repeat(length - 12)}@example.com` : 'n'.repeat(length)
const tooLong = (field: string) => ofLength(field, (longest[field] ?? 0) + 1)

describe('every field', () => {
  const signup = () => ({
    name: 'N',
    email: `e${v7()}@example.com`,
    password: 'long enough',
    role: 'driver',
    phone_number: server.newPhone(),
    idType: 'passport',
    idNumber: 'AB123456',
    idPhoto: photo,
  })
  const requests: [Op, () => Record<string, unknown>][] = [
    ['signup', signup],
    ['login', () => ({ email: 'a@example.com', password: 'x' })],
    ['createDelivery', () => ({ ...server.request() })],
    [
      'createGuestDelivery',
      () => ({ ...server.request(), senderName: 'K', senderPhone: '0240000000' }),
    ],
    ['confirmPhone', () => ({ phone_number: '0240000000', code: '1' })],
    [
      'resetPassword',
      () => ({ phone_number: '0240000000', code: '1', new_password: 'long enough' }),
    ],
    ['requestReset', () => ({ phone_number: '0240000000' })],
    ['resendCode', () => ({ phone_number: '0240000000' })],
    ['changePhone', () => ({ phone_number: '0240000000' })],
    ['createDispute', () => ({ deliveryId: v7(), issue: 'x', type: 'sender_issue' })],
    [
      'createGuestDispute',
      () => ({ deliveryId: v7(), issue: 'x', type: 'sender_issue', guestPhone: guest.phone }),
    ],
    ['addZone', () => ({ name: `Z ${v7()}` })],
    ['addItem', () => ({ name: `I ${v7()}` })],
    ['completeDelivery', () => ({ code: '12345' })],
    ['changeStatus', () => ({ status: 'Approved' })],
    ['changeGuestStatus', () => ({ status: 'Approved', guestPhone: guest.phone })],
    ['reviewDriver', () => ({ status: 'approved' })],
    ['resolveDispute', () => ({ status: 'resolved', resolution: 'Settled' })],
  ]
  test.each(requests)(
    'of %s is validated: missing, of another type, too long, with a NUL',
    async (op, make) => {
      const line: Endpoint = endpoints[op]
      const before = await everyRow()
      const send = (body: object) =>
        server.raw(line.method, pathOf(line), { token: tokenFor(line), body })
      for (const field of Object.keys(make())) {
        const { [field]: good, ...without } = make()
        expect(await refusal(send(without)), `no ${field}`).toBe('400 invalid')
        const bad: unknown[] = [null, { a: 1 }, [], true, 'x'.repeat(1_001), `a\u0000b`]
        if (longest[field]) bad.push(tooLong(field))
        bad.push(typeof good === 'number' ? '60' : 7)
        for (const value of bad) {
          const said = await refusal(send({ ...make(), [field]: value }))
          const expected =
            typeof value === 'string' && wild[op] ? wild[op] : /^400 (invalid|.*not-hosted)/
          expect(said, `${field}: ${JSON.stringify(value)?.slice(0, 40)}`).toMatch(expected)
        }
      }
      expect(await everyRow()).toEqual(before)
    },
  )

  test.each(Object.entries(longest))('%s may have %i characters', async (field, most) => {
    const isOfPerson = field === 'name' || field === 'email'
    const guestRequest = { ...server.request(), senderName: 'K', senderPhone: '0240000000' }
    const body = {
      ...(isOfPerson ? signup() : guestRequest),
      [field]: ofLength(field, most),
    }
    const path = isOfPerson ? '/signup' : '/guest/deliveries'
    expect((await server.raw('POST', path, { body })).status).toBe(201)
  })

  test.each([
    ['offer', 0],
    ['offer', -1],
    ['offer', 100_000.01],
    ['offer', 1.234],
    ['offer', 1e300],
    ['recipientPhone', '024412345'],
    ['recipientPhone', '02441234567'],
    ['recipientPhone', '+233244123456'],
    ['dropoffZone', 'Osu'],
    ['pickupZone', '  '],
    ['itemDescription', ''],
    ['recipientName', '   '],
  ] as [string, unknown][])('%s of a request may not be %s', async (field, value) => {
    const body = { ...server.request(), [field]: value }
    expect(
      await refusal(server.raw('POST', '/sender/deliveries', { token: ama.token, body })),
    ).toBe('400 invalid')
  })

  test('texts may be in any language and are stored unchanged', async () => {
    const itemDescription = 'Ɔkɔ 📦 "quoted" \\ <b>bold</b> %_ \u202e'
    const made = await server.delivery(await server.sender(), { itemDescription, offer: 0.01 })
    expect(made).toMatchObject({ itemDescription, offer: 0.01 })
    const largest = await server.delivery(await server.sender(), { offer: 100_000 })
    expect(largest.offer).toBe(100_000)
  })
})

test('R23: forbidden transitions are 409 for every caller', async () => {
  const made = await server.delivery(ama)
  const change = (token: string, status: string) =>
    refusal(server.raw('PATCH', `/deliveries/${made.ID}/status`, { token, body: { status } }))
  const statuses = ['Pending', 'Accepted', 'Picked Up', 'Delivered', 'Approved']
  for (const status of statuses) {
    expect(await change(ama.token, status), status).toBe('409 wrong-status')
    expect(await change(admin.token, status), status).toBe('409 wrong-status')
  }
  await server.ask('acceptDelivery', { token: yaw.token, id: made.ID })
  for (const status of ['Pending', 'Accepted', 'Delivered', 'Approved', 'Cancelled'])
    expect(await change(yaw.token, status), status).toBe('409 wrong-status')
  for (const status of statuses)
    expect(await change(ama.token, status), status).toBe('409 wrong-status')
  const complete = { token: yaw.token, body: { code: present(made.deliveryCode) } }
  expect(
    await refusal(server.raw('POST', `/driver/deliveries/${made.ID}/complete`, complete)),
  ).toBe('409 wrong-status')
  await server.ask('changeStatus', { token: yaw.token, id: made.ID, body: { status: 'Picked Up' } })
  expect(await change(yaw.token, 'Picked Up')).toBe('409 wrong-status')
  for (const token of [ama.token, yaw.token])
    expect(await change(token, 'Cancelled')).toBe('409 wrong-status')
  await server.ask('completeDelivery', { ...complete, id: made.ID, body: complete.body })
  expect(
    await refusal(server.raw('POST', `/driver/deliveries/${made.ID}/complete`, complete)),
  ).toBe('409 wrong-status')
  await server.ask('changeStatus', { token: ama.token, id: made.ID, body: { status: 'Approved' } })
  for (const [token, all] of [
    [ama.token, statuses],
    [yaw.token, statuses],
    [admin.token, ['Cancelled']],
  ] as const)
    for (const status of all) expect(await change(token, status), status).toBe('409 wrong-status')
})

test('R76: unknown paths and methods are 404 and 405 in JSON', async () => {
  for (const path of ['/nowhere', '/zones/', '/deliveries', '/admin', '//zones', '/zones/../users'])
    expect(await refusal(server.raw('GET', path, { token: admin.token })), path).toBe(
      '404 not-found',
    )
  for (const [method, path] of [
    ['DELETE', '/zones'],
    ['POST', '/users/me'],
    ['PUT', '/login'],
    ['GET', '/login'],
    ['PATCH', '/admin/zones'],
    ['GET', '/admin/zones/x'],
    ['DELETE', `/deliveries/${v7()}`],
  ] as [string, string][]) {
    const answer = await server.raw(method, path)
    expect(answer.headers.get('allow'), path).toMatch(/[A-Z]+/)
    expect(await refusal(answer), path).toBe('405 method-not-allowed')
  }
})

test('no content type is needed, and an ended token does not block a login', async () => {
  const body = new Blob([JSON.stringify({ email: ama.email, password: ama.password })])
  const answer = await server.raw('POST', '/login', { body, token: 'u_dead-dead-dead-dead-dead' })
  expect(answer.status).toBe(200)
})

test('R67: over a real connection 10 MB get a 413 response, not a broken connection', async () => {
  const big = JSON.stringify({ name: 'x'.repeat(10_000_000) })
  const answer = await fetch(`${listener.origin}/api/login`, { method: 'POST', body: big })
  expect(await refusal(answer)).toBe('413 too-large')
  const after = await fetch(`${listener.origin}/api/zones`)
  expect(after.status).toBe(200)
})
