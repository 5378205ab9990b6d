import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Guest,
  type Person,
  present,
  startTestServer,
  type TestServer,
} from '../helpers/server.ts'

let server: TestServer
let ama: Person
let stranger: Person
let yaw: Person
let browsing: Person
let waiting: Person
let admin: Person
let guest: Guest
let otherGuest: Guest

beforeAll(async () => {
  server = await startTestServer()
  ama = await server.sender()
  stranger = await server.sender()
  yaw = await server.driver()
  browsing = await server.driver()
  waiting = await server.verify(await server.signUp('driver'))
  admin = await server.admin()
  otherGuest = await server.guestDelivery()
})
afterAll(() => server.close())

/** Every list and page there is, as this token sees it. */
async function everythingSeenBy(token: string | undefined, id: string): Promise<string> {
  const paths = [
    ...['/users/me', '/driver/status', '/zones', '/items', '/config', `/deliveries/${id}`],
    ...['/sender/deliveries', '/sender/active-deliveries', '/driver/available-deliveries'],
    ...['/driver/my-deliveries', '/driver/my-deliveries?include_completed=true'],
    ...['/admin/stats', '/admin/activities', '/admin/users', '/admin/disputes'],
    ...['/admin/deliveries', '/admin/drivers', '/admin/drivers/with-details'],
  ]
  const answers = await Promise.all(paths.map((path) => server.raw('GET', path, { token })))
  return (await Promise.all(answers.map((answer) => answer.text()))).join('\n')
}

const statusFor = async (token: string | undefined, id: string) =>
  (await server.raw('GET', `/deliveries/${id}`, { token })).status

describe.each([
  ['with an account', () => server.delivery(ama), () => ama.token],
  [
    'as a guest',
    async () => {
      guest = await server.guestDelivery({ recipientName: 'Only For Two' })
      return guest.delivery
    },
    () => guest.token,
  ],
])('a delivery made %s', (_, make, owner) => {
  test('shows its code to its sender and admins alone, at every step', async () => {
    const made = await make()
    const code = present(made.deliveryCode)
    // A code is five digits, which may stand in a phone or a price: a driver's answers must not hold it as one.
    const asValue = `"${code}"`
    const look = async () => {
      for (const token of [owner(), admin.token])
        expect(await everythingSeenBy(token, made.ID)).toContain(asValue)
      for (const person of [stranger, yaw, browsing, waiting])
        expect(await everythingSeenBy(person.token, made.ID)).not.toContain(asValue)
      for (const token of [undefined, otherGuest.token, 'u_forged-forged-forged-forged'])
        expect(await everythingSeenBy(token, made.ID)).not.toContain(asValue)
    }
    await look()
    const about = { token: yaw.token }
    const heard: string[] = []
    const hear = async (method: string, path: string, body?: object) => {
      const answer = await server.raw(method, path, { ...about, body, key: v7() })
      heard.push(await answer.text())
      return answer.status
    }
    expect(await hear('PATCH', `/driver/deliveries/${made.ID}/accept`)).toBe(200)
    await look()
    expect(await hear('PATCH', `/deliveries/${made.ID}/status`, { status: 'Picked Up' })).toBe(200)
    const wrong = code === '11111' ? '22222' : '11111'
    expect(await hear('POST', `/driver/deliveries/${made.ID}/complete`, { code: wrong })).toBe(400)
    expect(await hear('POST', `/driver/deliveries/${made.ID}/complete`, { code })).toBe(200)
    await look()
    expect(heard.join()).not.toContain(asValue)
    expect(server.logged.join('\n')).not.toContain(code)
  })

  test('is 404 to others, 401 without a token, and an advert to drivers who look for jobs', async () => {
    if (_ === 'with an account') {
      const list = await server.ask('senderActiveDeliveries', { token: ama.token })
      for (const { ID } of list.value?.deliveries ?? [])
        await server.ask('changeStatus', { token: ama.token, id: ID, body: { status: 'Approved' } })
    }
    const made = await make()
    expect(await statusFor(undefined, made.ID)).toBe(401)
    expect(await statusFor('g_forged-forged-forged-forged', made.ID)).toBe(401)
    for (const token of [stranger.token, waiting.token, otherGuest.token])
      expect(await statusFor(token, made.ID)).toBe(404)
    const advert = await server.raw('GET', `/deliveries/${made.ID}`, { token: browsing.token })
    expect(Object.keys((await advert.json()).delivery).sort()).toEqual([
      ...['ID', 'createdAt', 'dropoffZone', 'isGuestDelivery', 'itemDescription', 'itemPhoto'],
      ...['offer', 'pickupZone', 'status', 'updatedAt'],
    ])
    await server.drive(made, yaw, 'Accepted')
    expect(await statusFor(browsing.token, made.ID)).toBe(404)
    const theirs = await server.ask('getDelivery', { token: yaw.token, id: made.ID })
    expect(theirs.value?.delivery.recipientName).toBeDefined()
    expect(theirs.value?.delivery.senderPhone).toBeDefined()
    expect(theirs.value?.delivery.deliveryCode).toBeUndefined()
    await server.ask('changeStatus', {
      token: admin.token,
      id: made.ID,
      body: { status: 'Cancelled' },
    })
  })
})

test('another’s delivery cannot be changed by anybody, and none learns whether it is there', async () => {
  const kofi = await server.sender()
  const made = await server.delivery(kofi)
  const change = (path: string, token: string | undefined, body: object) =>
    server.raw('PATCH', path, { token, body }).then(({ status }) => status)
  for (const status of ['Approved', 'Cancelled', 'Picked Up']) {
    const path = `/deliveries/${made.ID}/status`
    for (const { token } of [stranger, yaw, browsing, waiting])
      expect(await change(path, token, { status })).toBe(404)
    expect(await change(path, undefined, { status })).toBe(401)
    expect(await change(path, otherGuest.token, { status })).toBe(401)
    const guestPath = `/guest${path}`
    const guestPhone = otherGuest.phone
    expect(await change(guestPath, otherGuest.token, { status, guestPhone })).toBe(404)
    expect(await change(guestPath, kofi.token, { status, guestPhone })).toBe(403)
    expect(await change(guestPath, undefined, { status, guestPhone })).toBe(401)
  }
  await server.drive(made, yaw, 'Picked Up')
  const body = { code: present(made.deliveryCode) }
  const complete = (token: string) =>
    server.raw('POST', `/driver/deliveries/${made.ID}/complete`, { token, body })
  expect((await complete(browsing.token)).status).toBe(404)
  expect((await complete(stranger.token)).status).toBe(403)
})

test('a driver who knows a guest’s delivery and phone cannot release the payment', async () => {
  const [theirs, driver] = [await server.guestDelivery(), await server.driver()]
  await server.drive(theirs.delivery, driver, 'Delivered')
  const body = { status: 'Approved', guestPhone: theirs.phone }
  const path = `/guest/deliveries/${theirs.delivery.ID}/status`
  expect((await server.raw('PATCH', path, { token: driver.token, body })).status).toBe(403)
  expect((await server.raw('PATCH', path, { body })).status).toBe(401)
  await server.ask('changeGuestStatus', {
    ...{ token: theirs.token, id: theirs.delivery.ID },
    body: { status: 'Approved', guestPhone: theirs.phone },
  })
})

test('a guest token opens its three calls and no others', async () => {
  const { token } = otherGuest
  const calls: [string, string][] = [
    ...(
      ['/users/me', '/sender/deliveries', '/driver/status', '/admin/stats', '/events'] as const
    ).map((path): [string, string] => ['GET', path]),
    ['POST', '/sender/deliveries'],
    ['POST', '/disputes'],
    ['POST', '/logout'],
  ]
  for (const [method, path] of calls) {
    const body = method === 'POST' ? {} : undefined
    expect((await server.raw(method, path, { token, body })).status, path).toBe(401)
  }
})

test('what admins may do is for admins', async () => {
  const paths: [string, string][] = [
    ...['stats', 'activities', 'users', 'disputes', 'deliveries', 'drivers', 'zones', 'items'].map(
      (path): [string, string] => ['GET', `/admin/${path}`],
    ),
    ['POST', '/admin/zones'],
    ['DELETE', `/admin/zones/${v7()}`],
    ['PATCH', `/admin/drivers/${waiting.user.ID}`],
  ]
  for (const [method, path] of paths) {
    for (const { token } of [ama, yaw, waiting])
      expect((await server.raw(method, path, { token })).status, path).toBe(403)
    expect((await server.raw(method, path)).status, path).toBe(401)
  }
})
