import { describe, expect, test } from 'vitest'
import { call } from '#contract/calls/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { Refused, Unreachable } from '#contract/wire-errors.ts'

const answering =
  (body: unknown, init: ResponseInit = {}) =>
  async () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), init)

const ask = (op: Op, body: unknown, init?: ResponseInit) =>
  call(answering(body, init), 'http://localhost/api', op, { id: 'd1' })

const delivery = {
  ID: 'd1',
  status: 'Pending',
  itemDescription: 'Laptop',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  offer: 60,
  isGuestDelivery: true,
  senderName: 'Ama',
  senderPhone: '0244999999',
  driver: { id: 'u2', name: 'Kofi', phone: '0244000000', email: 'kofi@example.com' },
  createdAt: '2026-11-21T10:00:00Z',
  updatedAt: '2026-11-21T10:00:00Z',
}

describe('R87: a delivery is read', () => {
  test.each([
    ['as the schema spells it', { delivery }],
    [
      'capitalised',
      {
        Delivery: {
          ID: 'd1',
          Status: 'Pending',
          ItemDescription: 'Laptop',
          PickupZone: 'Osu',
          DropoffZone: 'Tema',
          Offer: 60,
          IsGuestDelivery: true,
          GuestSenderName: 'Ama',
          GuestSenderPhone: '0244999999',
          Deliverer: { ID: 'u2', Name: 'Kofi', Phone: '0244000000', Email: 'kofi@example.com' },
          CreatedAt: '2026-11-21T10:00:00Z',
          UpdatedAt: '2026-11-21T10:00:00Z',
        },
      },
    ],
    ['in lower camel', { delivery: { ...delivery, ID: undefined, id: 'd1' } }],
    [
      'mixed, with snake case, nulls and fields we do not know',
      {
        delivery: {
          ...delivery,
          itemDescription: undefined,
          item_description: 'Laptop',
          PickupZone: 'Osu',
          pickupZone: null,
          proofOfDelivery: null,
          recipientName: null,
          shoeSize: 44,
        },
      },
    ],
    ['bare', delivery],
  ])('%s', async (_, body) => {
    expect((await ask('getDelivery', body)).value).toEqual({ delivery })
  })

  test('with a numeric ID, as text', async () => {
    const { value } = await ask('getDelivery', { delivery: { ...delivery, ID: 7 } })
    expect(value).toMatchObject({ delivery: { ID: '7' } })
  })
})

describe('a list is read', () => {
  test('R87: from a bare array, without the rows that cannot be read', async () => {
    const { value, unreadable } = await ask('senderDeliveries', [delivery, { ID: 'd2' }, delivery])
    expect(value).toEqual({ deliveries: [delivery, delivery] })
    expect(unreadable).toEqual([{ ID: 'd2' }])
  })
  test('R73: with its cursor and the removed IDs', async () => {
    const { value } = await ask('senderDeliveries', {
      deliveries: [],
      removed: ['d9'],
      cursor: 'c',
    })
    expect(value).toEqual({ deliveries: [], removed: ['d9'], cursor: 'c' })
  })
  test.each([
    ['zones', { Zones: [{ id: 1, name: 'Osu' }] }, { zones: [{ ID: '1', Name: 'Osu' }] }],
    [
      'adminDrivers',
      [{ id: 'u', status: 'pending', user: { name: 'Esi', email: 'e@x' }, id_type: 'passport' }],
      {
        drivers: [
          { ID: 'u', Status: 'pending', User: { Name: 'Esi', Email: 'e@x' }, IDType: 'passport' },
        ],
      },
    ],
    [
      'me',
      {
        id: 'u',
        Name: 'Esi',
        email: 'e',
        phoneNumber: '0',
        Role: 'sender',
        verified: true,
        role: 'sender',
      },
      {
        user: {
          ID: 'u',
          name: 'Esi',
          email: 'e',
          phone_number: '0',
          role: 'sender',
          Verified: true,
        },
        role: 'sender',
      },
    ],
    [
      'adminActivities',
      { activities: [{ id: 3, type: 'other', message: 'm', createdAt: 't' }] },
      { activities: [{ ID: '3', Type: 'other', Message: 'm', CreatedAt: 't' }] },
    ],
  ] as [Op, unknown, unknown][])('R87: %s in another spelling', async (op, body, read) => {
    expect((await ask(op, body)).value).toEqual(read)
  })
})

/** The status of a captive portal's page says nothing about our server. */
const noStatus = { status: undefined }

describe('a response that is no success', () => {
  test('R76: has a sentence for people and a reason for code', async () => {
    const error = await ask(
      'acceptDelivery',
      { error: 'Gone', reason: 'taken' },
      { status: 409 },
    ).catch((e) => e)
    expect(error).toBeInstanceOf(Refused)
    expect(error).toMatchObject({ status: 409, reason: 'taken', message: 'Gone' })
  })
  test('R76: without an error field is “API error”', async () => {
    const error = await ask('acceptDelivery', {}, { status: 400 }).catch((e) => e)
    expect(error).toMatchObject({ status: 400, message: 'API error' })
  })
  test.each([
    [
      'a server failure',
      { error: 'x' },
      { status: 503, headers: { 'retry-after': '700', 'x-server-version': '13' } },
      { status: 503, retryAfter: 700_000, isOurs: true, namesTime: true },
    ],
    [
      'too many',
      { error: 'x', reason: 'too-many' },
      { status: 429, headers: { 'retry-after': '1' } },
      { status: 429, retryAfter: 1_000 },
    ],
    ['a proxy’s page', '<html>Bad gateway</html>', { status: 502 }, { status: 502, isOurs: false }],
    [
      'a proxy that names an hour',
      '<html>Bad gateway</html>',
      { status: 502, headers: { 'retry-after': '3600' } },
      { retryAfter: 120_000, namesTime: false },
    ],
    ['a portal’s page', '<html>Log in to Hotel Wi-Fi</html>', { status: 200 }, noStatus],
    ['a portal’s refusal', '<html>Forbidden</html>', { status: 403 }, noStatus],
    ['JSON of somebody else', { hello: 'world' }, { status: 200 }, noStatus],
    ['a truncated answer', '{"delivery": {"ID": "d1"', { status: 200 }, noStatus],
  ])('S12: is no response of our server: %s', async (_, body, init, about) => {
    const error = await ask('acceptDelivery', body, init).catch((e) => e)
    expect(error).toBeInstanceOf(Unreachable)
    expect(error).toMatchObject(about)
  })
  test('S12: is no response of our server when it was redirected', async () => {
    const redirected = async () => {
      const response = new Response(JSON.stringify({ delivery }))
      Object.defineProperty(response, 'redirected', { value: true })
      return response
    }
    const error = await call(redirected, 'http://localhost/api', 'getDelivery', { id: 'd1' }).catch(
      (e) => e,
    )
    expect(error).toBeInstanceOf(Unreachable)
    expect(error).toMatchObject(noStatus)
  })
  test('S12: is no response when the connection breaks', async () => {
    const broken = async () => {
      throw new TypeError('fetch failed')
    }
    await expect(call(broken, 'http://localhost/api', 'zones')).rejects.toBeInstanceOf(Unreachable)
  })
})

test('R31, R70: a call carries the token, the request key, the time of the action and the ETag', async () => {
  let seen: Request | undefined
  const transport = async (request: Request) => {
    seen = request
    return new Response(null, { status: 304 })
  }
  const answer = await call(transport, 'http://localhost/api', 'acceptDelivery', {
    id: 'a/b',
    token: 't',
    key: 'k',
    occurredAt: '2026-11-21T10:00:00Z',
    etag: '"1"',
  })
  expect(answer.value).toBeUndefined()
  expect(seen?.url).toBe('http://localhost/api/driver/deliveries/a%2Fb/accept')
  expect(Object.fromEntries(seen?.headers ?? [])).toMatchObject({
    authorization: 'Bearer t',
    'idempotency-key': 'k',
    'occurred-at': '2026-11-21T10:00:00Z',
    'if-none-match': '"1"',
  })
})
