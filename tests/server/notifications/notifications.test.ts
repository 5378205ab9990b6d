import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BodyOf } from '#contract/queries.ts'
import { isPushService } from '#server/node/messages/push.ts'
import { sendDueNotifications } from '#server/notifications/send-due.ts'
import { settleDueDeliveries } from '#server/rules/due-deliveries.ts'
import { type Person, present, startTestServer } from '../../helpers/server/server.ts'
import { type PushServer, startPushServer } from './push-fixture.ts'

/* Who is told of what with the app closed: real Web Push to a service that opens what arrives. */

const minute = 60_000
let one: PushServer
let admin: Person
let count = 0
beforeAll(async () => {
  one = await startPushServer()
  admin = await one.admin()
})
afterAll(() => one.close())

/** A sender and a driver, each with a browser that is told, and a delivery taken to this status. */
async function begun(to?: 'Accepted' | 'Picked Up' | 'Delivered') {
  const names = { ama: `ama-${++count}`, yaw: `yaw-${count}` }
  const ama = await one.sender({ name: 'Ama Serwaa Owusu' })
  const yaw = await one.driver({ name: 'Yaw Boateng' })
  await one.send()
  await one.subscribe(ama, names.ama)
  await one.subscribe(yaw, names.yaw)
  const made = await one.delivery(ama, { itemDescription: 'Laptop', recipientName: 'Esi Mensah' })
  if (to) await one.drive(made, yaw, to)
  return { ama, yaw, names, made, id: made.ID }
}

const status = (by: Person, id: string, to: 'Picked Up' | 'Approved' | 'Cancelled') =>
  one.ask('changeStatus', { token: by.token, id, body: { status: to } })

describe('R115: who is told of what', () => {
  test('the sender of each step of the driver, the driver of the payment, and nobody of their own', async () => {
    const { ama, yaw, names, made, id } = await begun('Accepted')
    await one.send()
    await status(yaw, id, 'Picked Up')
    await one.send()
    await one.ask('completeDelivery', {
      token: yaw.token,
      id,
      body: { code: present(made.deliveryCode) },
    })
    await one.send()
    await status(ama, id, 'Approved')
    await one.send()
    expect(one.titles(names.ama)).toEqual([
      'Yaw accepted your request',
      'Yaw picked up Laptop',
      'Laptop was delivered',
    ])
    expect(one.titles(names.yaw)).toEqual(['You are paid ₵60.50'])
    expect(one.service.problems).toEqual([])
  })

  test('a step that a later one has overtaken is not told any more', async () => {
    const { names } = await begun('Delivered')
    await one.send()
    expect(one.titles(names.ama)).toEqual(['Laptop was delivered'])
  })

  test('the exits: given back, an attempt, the way back, its end, and a cancellation', async () => {
    const { ama, yaw, names, id } = await begun('Accepted')
    await one.ask('releaseJob', { token: yaw.token, id, body: { reason: 'The car broke down' } })
    await one.send()
    await one.ask('acceptDelivery', { token: yaw.token, id })
    await status(yaw, id, 'Picked Up')
    await one.ask('reportAttempt', { token: yaw.token, id, body: { reason: 'absent' } })
    await one.send()
    one.clock.advance(testWait)
    await one.ask('startReturn', { token: yaw.token, id, body: {} })
    await one.send()
    await one.ask('confirmReturn', { token: ama.token, id, body: {} })
    await one.send()
    expect(one.titles(names.ama)).toEqual(
      expect.arrayContaining([
        'Your request is on offer again',
        "Yaw couldn't hand over Laptop",
        'Yaw is bringing Laptop back',
      ]),
    )
    expect(one.titles(names.yaw)).toEqual(['Return confirmed'])

    const other = await begun('Accepted')
    await status(admin, other.id, 'Cancelled')
    await one.send()
    expect(one.titles(other.names.ama)).toEqual(['Laptop was cancelled'])
    expect(one.titles(other.names.yaw)).toEqual(['Laptop was cancelled'])
  })

  test('the answer to a report goes to who reported, a decision about the money to both', async () => {
    const { ama, names, id } = await begun('Picked Up')
    await one.send()
    const report = () =>
      one.ask('createDispute', {
        token: ama.token,
        body: { deliveryId: id, issue: 'Late', type: 'sender_issue', priority: 'medium' },
      })
    const resolve = async (body: { decision: 'none' | 'refund' }) => {
      const { dispute } = present((await report()).value)
      const resolution = 'We spoke to the driver.'
      await one.ask('resolveDispute', {
        token: admin.token,
        id: dispute.ID,
        body: { status: 'resolved', resolution, ...body },
      })
      await one.send()
    }
    await resolve({ decision: 'none' })
    expect(one.titles(names.ama).at(-1)).toBe('Support has decided')
    expect(one.titles(names.yaw)).toEqual([])
    await resolve({ decision: 'refund' })
    expect(one.titles(names.ama).slice(-2)).toEqual(['Support has decided', 'Support has decided'])
    expect(one.titles(names.yaw)).toEqual(['Support has decided'])
  })

  test('a driver of the decision on their application', async () => {
    const kofi = await one.verify(await one.signUp('driver'))
    await one.subscribe(kofi, 'kofi')
    const review = (decision: 'approved' | 'rejected') =>
      one.ask('reviewDriver', { token: admin.token, id: kofi.user.ID, body: { status: decision } })
    await review('approved')
    await one.send()
    await review('rejected')
    await one.send()
    expect(one.titles('kofi')).toEqual([
      'You are approved to drive',
      'Your application was rejected',
    ])
  })

  test('a guest, by the guest token of the delivery', async () => {
    const guest = await one.guestDelivery({ itemDescription: 'Shoes' })
    const yaw = await one.driver({ name: 'Yaw Boateng' })
    await one.subscribe(guest, 'guest')
    await one.drive(guest.delivery, yaw, 'Accepted')
    await one.send()
    expect(one.titles('guest')).toEqual(['Yaw accepted your request'])
    expect(one.arrived('guest')[0]?.json.notification.navigate).toBe(
      `http://localhost:8080/delivery/${guest.delivery.ID}`,
    )
  })

  test('an approval by itself is announced half-way, and told to both when it comes', async () => {
    const { names } = await begun('Delivered')
    await one.send()
    one.clock.advance(24 * 60 * minute + minute)
    await one.send()
    expect(one.titles(names.ama)).toEqual(['Laptop was delivered', 'Approve Laptop'])
    one.clock.advance(24 * 60 * minute)
    await settleDueDeliveries(one.ports)
    await one.send()
    expect(one.titles(names.ama).at(-1)).toBe('Laptop was approved automatically')
    expect(one.titles(names.yaw)).toEqual(['You are paid ₵60.50'])
  })
})

const testWait = 10 * minute

describe('R116: what a message holds', () => {
  test('RFC 8030 and 8292: a signed request with a topic, a lifetime and an urgency', async () => {
    const { names, id } = await begun('Accepted')
    await one.send()
    const [push] = one.arrived(names.ama)
    const { headers, claims } = present(push)
    expect(claims.aud).toBe(one.service.origin)
    expect(claims.sub).toBe('mailto:admin@soma.local')
    expect(headers.topic).toMatch(/^[\w-]{32}$/)
    expect(headers.urgency).toBe('high')
    expect(Number(headers.ttl)).toBeGreaterThan(0)
    expect(push?.json).toMatchObject({
      web_push: 8030,
      mutable: true,
      notification: { navigate: `http://localhost:8080/delivery/${id}` },
    })
  })

  test('one status leaves one message: every message about a delivery has its topic and tag', async () => {
    const { yaw, names, id } = await begun('Accepted')
    await one.send()
    await status(yaw, id, 'Picked Up')
    await one.send()
    const topics = one
      .arrived(names.ama)
      .map(({ headers, json }) => [headers.topic, json.notification.tag])
    expect(topics).toHaveLength(2)
    expect(topics[0]).toEqual(topics[1])
  })
})

describe('R117: a subscription ends', () => {
  test('when the push service says 404 or 410, at once', async () => {
    for (const answer of [404, 410]) {
      const { names } = await begun()
      one.service.answers.set(`/${names.ama}`, answer)
      const { rows } = await one.pool().query('select endpoint from push_subscriptions')
      expect(rows.map(({ endpoint }) => endpoint)).toContain(`${one.service.origin}/${names.ama}`)
      await drivenByAnother(names)
      await one.send()
      const left = await one.pool().query('select endpoint from push_subscriptions')
      expect(left.rows.map(({ endpoint }) => endpoint)).not.toContain(
        `${one.service.origin}/${names.ama}`,
      )
    }
  })

  /** Another driver accepts the newest delivery. */
  async function drivenByAnother({ ama }: { ama: string }) {
    const kofi = await one.driver()
    const { rows } = await one
      .pool()
      .query(
        'select d.id from deliveries d join sessions s on s.user_id = d.sender_id join push_subscriptions p on p.session = s.hash where p.endpoint = $1',
        [`${one.service.origin}/${ama}`],
      )
    await one.ask('acceptDelivery', { token: kofi.token, id: rows[0].id })
  }

  test('with the session it belongs to: after a logout this phone is told nothing', async () => {
    const { ama, names } = await begun()
    await one.ask('logout', { token: ama.token })
    const { rows } = await one
      .pool()
      .query('select 1 from push_subscriptions where endpoint = $1', [
        `${one.service.origin}/${names.ama}`,
      ])
    expect(rows).toEqual([])
  })

  test('for whoever was logged in on that browser before', async () => {
    const { yaw, names, id } = await begun()
    const kwame = await one.sender()
    const body = one.service.subscribe(names.ama)
    await one.ask('subscribe', { token: kwame.token, body })
    await one.ask('acceptDelivery', { token: yaw.token, id })
    await one.send()
    expect(one.titles(names.ama)).toEqual([])
  })

  test('a service that fails is asked again later; one that refuses is not', async () => {
    const { yaw, names, id } = await begun()
    one.service.answers.set(`/${names.ama}`, 503)
    await one.ask('acceptDelivery', { token: yaw.token, id })
    await one.send()
    expect(one.titles(names.ama)).toEqual([])
    one.service.answers.delete(`/${names.ama}`)
    one.clock.advance(minute)
    await one.send()
    expect(one.titles(names.ama)).toEqual(['Yaw accepted your request'])
    await one.send()
    expect(one.titles(names.ama)).toHaveLength(1)

    const other = await begun()
    one.service.answers.set(`/${other.names.ama}`, 413)
    await one.ask('acceptDelivery', { token: other.yaw.token, id: other.id })
    await one.send()
    one.service.answers.delete(`/${other.names.ama}`)
    one.clock.advance(60 * minute)
    await one.send()
    expect(one.titles(other.names.ama)).toEqual([])
  })

  test('keys that are none end it, and hold up no other message', async () => {
    const { yaw, names, id } = await begun()
    const bad = one.service.subscribe(names.ama)
    const ama = await one.sender()
    await one.ask('subscribe', {
      token: ama.token,
      body: {
        endpoint: `${bad.endpoint}-bad`,
        keys: { p256dh: 'A'.repeat(87), auth: bad.keys.auth },
      },
    })
    const other = await one.delivery(ama)
    const kofi = await one.driver()
    await one.ask('acceptDelivery', { token: kofi.token, id: other.ID })
    await one.ask('acceptDelivery', { token: yaw.token, id })
    await one.send()
    const { rows } = await one
      .pool()
      .query('select 1 from push_subscriptions where endpoint like $1', ['%-bad'])
    expect(rows).toEqual([])
  })
})

describe('R118: messages go to push services only', () => {
  const services = ['http://127.0.0.1:9000']
  test.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://wns2-par02p.notify.windows.com/w/?token=abc',
    'HTTPS://FCM.GoogleApis.com:443/abc',
    'http://127.0.0.1:9000/abc',
  ])('%s is one', (endpoint) => expect(isPushService(endpoint, services)).toBe(true))
  test.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/abc',
    'https://fcm.googleapis.com.evil.example/abc',
    'https://evil-fcm.googleapis.com.example/abc',
    'https://user:secret@fcm.googleapis.com/abc',
    'https://fcm.googleapis.com@127.0.0.1/',
    'https://fcm.googleapis.com./abc',
    'https://127.0.0.1\\@fcm.googleapis.com/',
    'https://fcm.googleapis.com%2eevil.example/',
    'https://fcm。googleapis。com.evil.example/abc',
    'https://ｆcm.googleapis.com:444/abc',
    'https://notify.windows.com.:443/abc',
    'https://evilnotify.windows.com/abc',
    'https://0x7f000001/abc',
    'https://[::1]/abc',
    'https://[::ffff:127.0.0.1]/abc',
    'http://127.0.0.1:9000@169.254.169.254/abc',
    'http://127.0.0.1:9000.evil.example/abc',
    'ftp://127.0.0.1:9000/abc',
    '//fcm.googleapis.com/abc',
    'https://169.254.169.254/latest/meta-data',
    'http://localhost:8080/api/admin/stats',
    'http://127.0.0.1:9001/abc',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '',
    `https://fcm.googleapis.com/${'a'.repeat(2_000)}`,
  ])('%s is none', (endpoint) => expect(isPushService(endpoint, services)).toBe(false))

  test('a subscription elsewhere is refused, and a redirect is not followed', async () => {
    const { yaw, ama, names, id } = await begun()
    const keys = one.service.subscribe('elsewhere').keys
    const answer = await one.raw('POST', '/notifications/subscriptions', {
      token: ama.token,
      body: { endpoint: 'https://169.254.169.254/latest', keys },
    })
    expect(answer.status).toBe(400)
    one.service.answers.set(`/${names.ama}`, 307)
    await one.ask('acceptDelivery', { token: yaw.token, id })
    await one.send()
    expect(one.arrived('elsewhere')).toEqual([])
  })

  test('without push the call is 404, and everything else works', async () => {
    const plain = await startTestServer(undefined, { push: undefined })
    try {
      const ama = await plain.sender()
      const body = one.service.subscribe('nowhere')
      const answer = await plain.raw('POST', '/notifications/subscriptions', {
        token: ama.token,
        body,
      })
      expect(answer.status).toBe(404)
      const { value } = await plain.ask('config')
      expect(present(value).pushKey).toBeUndefined()
      const made = await plain.delivery(ama)
      await plain.drive(made, await plain.driver(), 'Delivered')
      await sendDueNotifications(plain.ports)
    } finally {
      await plain.close()
    }
  })
})

describe('R119: an SMS where no push was confirmed', () => {
  const smsTo = (person: Person) =>
    one.sms.filter(({ to, text }) => to === person.phone && text.includes('/delivery/'))

  test('five minutes after a hand-over nobody has confirmed, with a link and without a code', async () => {
    const { ama, made, id } = await begun('Delivered')
    await one.send()
    one.clock.advance(4 * minute)
    await one.send()
    expect(smsTo(ama)).toEqual([])
    one.clock.advance(2 * minute)
    await one.send()
    await one.send()
    const [sms, ...more] = smsTo(ama)
    expect(more).toEqual([])
    expect(sms?.text).toContain(`http://localhost:8080/delivery/${id}`)
    expect(sms?.text.length).toBeLessThanOrEqual(160)
    expect(sms?.text).not.toContain(present(made.deliveryCode))
  })

  test('none when the browser has confirmed that it showed the message', async () => {
    const { ama, names } = await begun('Delivered')
    await one.send()
    const receipt = one.arrived(names.ama).at(-1)?.json.notification.data
    await one.ask('confirmNotification', { body: { id: receipt } })
    one.clock.advance(10 * minute)
    await one.send()
    expect(smsTo(ama)).toEqual([])
  })

  test('none for what matters less, and none when the sender has approved meanwhile', async () => {
    const accepted = await begun('Accepted')
    const delivered = await begun('Delivered')
    await one.send()
    await status(delivered.ama, delivered.id, 'Approved')
    one.clock.advance(10 * minute)
    await one.send()
    expect(smsTo(accepted.ama)).toEqual([])
    expect(smsTo(delivered.ama)).toEqual([])
  })

  test('none beyond half of the day’s budget, which login codes need', async () => {
    const few = await startPushServer({ options: { ...one.ports.options, smsDaily: 10 } })
    try {
      const ama = await few.sender()
      const yaw = await few.driver()
      const at = new Date(few.clock.now()).toISOString()
      const { smsBudget } = await import('#server/limits/sms-budget.ts')
      await few.repo.transaction((stores) => smsBudget(few.ports).record(stores, [1, 2, 3], at))
      await few.drive(await few.delivery(ama), yaw, 'Delivered')
      await few.send()
      few.clock.advance(6 * minute)
      const before = few.sms.length
      await few.send()
      expect(few.sms.length).toBe(before)
    } finally {
      await few.close()
    }
  })

  test('of two server processes that look at once, one sends', async () => {
    const { names, yaw, id, ama } = await begun()
    const two = await startTestServer(one.database, { push: one.push, clock: one.clock.now })
    try {
      await one.ask('acceptDelivery', { token: yaw.token, id })
      await Promise.all([one.send(), sendDueNotifications(two.ports), one.send()])
      expect(one.titles(names.ama)).toEqual(['Yaw accepted your request'])
      expect(ama.user.Verified).toBe(true)
    } finally {
      await two.close()
    }
  })
})

describe('R120: a new job on a route that a driver chose', () => {
  const osuToTema = { routes: [{ from: 'Osu', to: 'Tema' }], quiet: { from: 0, to: 0 } }
  async function listener(name: string, body: BodyOf<'changeNotifications'> = osuToTema) {
    const driver = await one.driver()
    await one.send()
    await one.subscribe(driver, name)
    await one.ask('changeNotifications', { token: driver.token, body })
    return driver
  }

  test('reaches who chose it and is free, and nobody else', async () => {
    await listener('osu-tema')
    await listener('any-tema', { routes: [{ from: '*', to: 'Tema' }], quiet: { from: 0, to: 0 } })
    await listener('elsewhere-1', {
      routes: [{ from: 'Tema', to: 'Osu' }],
      quiet: { from: 0, to: 0 },
    })
    const switchedOff = {
      kinds: { 'new-job': false },
      routes: [{ from: 'Osu', to: 'Tema' }],
      quiet: { from: 0, to: 0 },
    }
    await listener('off', switchedOff)
    const busy = await listener('busy')
    const ama = await one.sender()
    const first = await one.delivery(ama, { pickupZone: 'Tema', dropoffZone: 'Osu' })
    await one.ask('acceptDelivery', { token: busy.token, id: first.ID })
    await one.send()
    const guest = await one.guestDelivery({ itemDescription: 'Laptop' })
    await one.send()
    await one.send()
    expect(one.titles('osu-tema')).toEqual(['₵60.50 · Osu to Tema'])
    expect(one.titles('any-tema')).toEqual(['₵60.50 · Osu to Tema'])
    expect(one.arrived('osu-tema')[0]?.payload).not.toContain(
      present(guest.delivery.recipientPhone),
    )
    for (const name of ['elsewhere-1', 'off', 'busy']) {
      expect([name, ...one.titles(name).filter((title) => title.includes('Osu to Tema'))]).toEqual([
        name,
      ])
    }
  })

  test('not in quiet hours, and at most five a day', async () => {
    const hour = new Date(one.clock.now()).getUTCHours()
    await listener('asleep', {
      routes: [{ from: 'Osu', to: 'Tema' }],
      quiet: { from: hour, to: (hour + 2) % 24 },
    })
    await listener('awake')
    for (let i = 0; i < 7; i++) {
      await one.delivery(await one.sender())
      await one.send()
      await one.send()
    }
    expect(one.titles('asleep')).toEqual([])
    expect(one.titles('awake')).toHaveLength(5)
  })
})

test('R120: one sender’s many requests do not use up what drivers may be told', async () => {
  const yaw = await one.driver()
  await one.send()
  await one.subscribe(yaw, 'flooded')
  const body = { routes: [{ from: 'Osu', to: 'Tema' }], quiet: { from: 0, to: 0 } }
  await one.ask('changeNotifications', { token: yaw.token, body })
  const senderPhone = one.newPhone()
  for (let i = 0; i < 5; i++) {
    await one.guestDelivery({ senderPhone })
    await one.send()
    await one.send()
  }
  expect(one.titles('flooded')).toHaveLength(3)
  await one.delivery(await one.sender())
  await one.send()
  await one.send()
  expect(one.titles('flooded')).toHaveLength(4)
})

describe('R121: settings', () => {
  test('a kind that is off is not told, by push or by SMS, until it is on again', async () => {
    const { ama, yaw, names, made, id } = await begun()
    const change = (on: boolean) =>
      one.ask('changeNotifications', {
        token: ama.token,
        body: { kinds: { accepted: on, delivered: on, 'approval-due': on } },
      })
    await change(false)
    await one.drive(made, yaw, 'Delivered')
    await one.send()
    one.clock.advance(6 * minute)
    await one.send()
    expect(one.titles(names.ama)).toEqual([])
    const { value } = await one.ask('me', { token: ama.token })
    expect(present(value).user.notifications?.off).toEqual([
      'accepted',
      'approval-due',
      'delivered',
    ])
    await change(true)
    await status(ama, id, 'Approved')
    expect(
      present((await one.ask('me', { token: ama.token })).value).user.notifications?.off,
    ).toEqual([])
  })

  test('are nobody else’s to see or to bend', async () => {
    const { ama } = await begun()
    const body = (value: object) => ({ token: ama.token, body: value })
    const patch = async (value: object) =>
      (await one.raw('PATCH', '/users/me/notifications', body(value))).status
    expect(await patch({ kinds: { 'no-such-kind': false } })).toBe(400)
    expect(await patch({ kinds: { __proto__x: true } })).toBe(400)
    expect(await patch({ routes: [{ from: 'Osu', to: 'Tema' }] })).toBe(403)
    expect(await patch({ quiet: { from: 24, to: 3 } })).toBe(400)
    expect(await patch({ kinds: { delivered: false } })).toBe(200)
    const list = await one.raw('GET', `/admin/users/${ama.user.ID}`, { token: admin.token })
    expect(await list.text()).not.toContain('"notifications"')
    const users = await one.raw('GET', '/admin/users', { token: admin.token })
    expect(await users.text()).not.toContain('"notifications"')
    const driver = await one.driver()
    const routes = async (value: unknown) =>
      (
        await one.raw('PATCH', '/users/me/notifications', {
          token: driver.token,
          body: { routes: value },
        })
      ).status
    expect(await routes([{ from: 'Osu', to: 'Nowhere' }])).toBe(400)
    expect(await routes(Array.from({ length: 11 }, () => ({ from: 'Osu', to: 'Tema' })))).toBe(400)
    expect(await routes([{ from: '*', to: 'Tema' }])).toBe(200)
  })
})
