import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BodyOf } from '#contract/queries.ts'
import { smsBudget } from '#server/limits/sms-budget.ts'
import { isPushService, webPushSender } from '#server/node/messages/push.ts'
import { sendDueNotifications } from '#server/notifications/send-due.ts'
import type { Repo } from '#server/ports/repo.ts'
import { settleDueDeliveries } from '#server/rules/due-deliveries.ts'
import { type Person, present, startTestServer } from '../../helpers/server/server.ts'
import { type PushServer, startPushServer } from './push-fixture.ts'

/*
 * What is sent of the messages that `who-is-told.test.ts` finds queued, by which way and to whom: real Web Push to a
 * service that opens what arrives.
 */

const minute = 60_000
let one: PushServer
let admin: Person
let count = 0
beforeAll(async () => {
  one = await startPushServer()
  admin = await one.admin()
})
afterAll(() => one.close())

type Step = 'Accepted' | 'Picked Up' | 'Delivered'
type Begun = Awaited<ReturnType<typeof begun>>

/** A sender and a driver, each with a browser that is told, and a delivery taken to this status. */
async function begun(to?: Step) {
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
/** A guest with this number confirms it by a code. */
async function confirmGuest(guestPhone: string) {
  const { token, delivery } = await one.guestDelivery({ senderPhone: guestPhone })
  await one.ask('recoverGuest', { body: { guestPhone } })
  const code = one.codeSentTo(guestPhone)
  const { value } = await one.ask('confirmGuestRecovery', { body: { guestPhone, code } })
  const [found] = present(value).deliveries
  expect(token).not.toBe(found?.guestToken)
  await one.ask('changeGuestStatus', {
    token: present(found).guestToken,
    id: delivery.ID,
    body: { status: 'Cancelled', guestPhone },
  })
}

/** So many milliseconds later all that is due is sent. */
const sendAfter = (milliseconds: number) => {
  one.clock.advance(milliseconds)
  return one.send()
}
const accept = ({ yaw, id }: Begun) => one.ask('acceptDelivery', { token: yaw.token, id })
const acceptAndSend = async (it: Begun) => {
  await accept(it)
  await one.send()
}
const release = ({ yaw, id }: Begun) =>
  one.ask('releaseJob', { token: yaw.token, id, body: { reason: 'Flat tyre' } })

/** Another process of the same database. */
async function withTwo(work: (two: PushServer['ports']) => Promise<unknown>) {
  const two = await startTestServer(one.database, { push: one.push, clock: one.clock.now })
  try {
    await work(two.ports)
  } finally {
    await two.close()
  }
}

/** The repo of a process; `afterRead` runs between what it reads and what it sends. */
const repoWith = (afterRead: () => Promise<unknown>): Repo => ({
  ...one.ports.repo,
  read: async (work) => {
    const found = await one.ports.repo.read(work)
    await afterRead()
    return found
  },
})

describe('R115: what is sent', () => {
  test('each step to the other side, and nothing twice', async () => {
    const it = await begun('Accepted')
    await one.send()
    await status(it.yaw, it.id, 'Picked Up')
    await one.send()
    const body = { code: present(it.made.deliveryCode) }
    await one.ask('completeDelivery', { token: it.yaw.token, id: it.id, body })
    await one.send()
    await status(it.ama, it.id, 'Approved')
    await one.send()
    await one.send()
    expect(one.titles(it.names.ama)).toEqual([
      'Yaw accepted your request',
      'Yaw picked up Laptop',
      'Laptop was delivered',
    ])
    expect(one.titles(it.names.yaw)).toEqual(['You are paid ₵60.50'])
    expect(one.service.problems).toEqual([])
  })

  test('a guest is told by the guest token of the delivery, and of no other', async () => {
    const [guest, other] = [await one.guestDelivery(), await one.guestDelivery()]
    await one.subscribe(guest, 'guest')
    await one.subscribe(other, 'other-guest')
    await one.drive(guest.delivery, await one.driver({ name: 'Yaw Boateng' }), 'Accepted')
    await one.send()
    expect(one.titles('guest')).toEqual(['Yaw accepted your request'])
    expect(one.titles('other-guest')).toEqual([])
    expect(one.arrived('guest')[0]?.json.notification.navigate).toBe(
      `http://localhost:8080/delivery/${guest.delivery.ID}`,
    )
  })

  test('the end of the wait for an approval half-way, and the approval to both', async () => {
    const { names } = await begun('Delivered')
    await one.send()
    await sendAfter(24 * 60 * minute + minute)
    expect(one.titles(names.ama)).toEqual(['Laptop was delivered', 'Approve Laptop'])
    one.clock.advance(24 * 60 * minute)
    await settleDueDeliveries(one.ports)
    await one.send()
    expect(one.titles(names.ama).at(-1)).toBe('Laptop was approved automatically')
    expect(one.titles(names.yaw)).toEqual(['You are paid ₵60.50'])
  })

  const answeredByHand = async (it: Begun) => {
    const report = { issue: 'No item', type: 'driver_issue', priority: 'medium' } as const
    const { value } = await one.ask('createDispute', {
      token: it.yaw.token,
      body: { deliveryId: it.id, ...report },
    })
    const body = { status: 'resolved' as const, resolution: 'Give it back.' }
    await one.ask('resolveDispute', { token: admin.token, id: present(value).dispute.ID, body })
    await release(it)
  }
  const bringBack = ({ id, yaw }: Begun) => one.bringBack(id, yaw)
  const cancelOnWayBack = async (it: Begun) => {
    await bringBack(it)
    await status(admin, it.id, 'Cancelled')
  }
  const [back, offered] = ['Yaw is bringing Laptop back', 'Your request is on offer again']
  const cancelled = 'Laptop was cancelled'
  const noLonger: [string, Step, (it: Begun) => Promise<unknown>, string[], string[]][] = [
    ['a step that a later one overtook', 'Delivered', async () => {}, ['Laptop was delivered'], []],
    [
      'that a cancelled one is on its way back',
      'Picked Up',
      cancelOnWayBack,
      [cancelled],
      [cancelled],
    ],
    [
      'that the recipient is to be called, once it is brought back',
      'Picked Up',
      bringBack,
      [back],
      [],
    ],
    ['support’s answer to who gave the job back', 'Accepted', answeredByHand, [offered], []],
  ]
  test.each(noLonger)('no longer %s', async (_, step, change, sender, driver) => {
    const it = await begun(step)
    await change(it)
    const before = one.sms.length
    await one.send()
    await sendAfter(6 * minute)
    expect([one.titles(it.names.ama), one.titles(it.names.yaw)]).toEqual([sender, driver])
    if (step !== 'Delivered') expect(one.sms.length).toBe(before)
  })

  test('no longer that it will be approved, with so short a time that it was approved before', async () => {
    const exits = { ...one.ports.options.exits, autoApprove: 3_600 }
    const options = { ...one.ports.options, exits }
    const clock = one.clock.now
    const quick = await startTestServer(one.database, { clock, push: one.push, options })
    try {
      const ama = await quick.sender({ phone_number: one.newPhone() })
      await one.subscribe(ama, 'quick')
      await quick.drive(await quick.delivery(ama), await one.driver(), 'Delivered')
      one.clock.advance(5_000)
      await settleDueDeliveries(quick.ports)
      await one.send()
      expect(one.titles('quick')).toEqual(['Documents was approved automatically'])
    } finally {
      await quick.close()
    }
  })
})

test('R116: a push is a signed request of RFC 8030 and 8292; all about one delivery have its topic and tag', async () => {
  const it = await begun('Accepted')
  await one.send()
  await status(it.yaw, it.id, 'Picked Up')
  await one.send()
  const [push, next] = one.arrived(it.names.ama)
  const { headers, claims, json } = present(push)
  expect(claims).toMatchObject({ aud: one.service.origin, sub: 'mailto:admin@soma.local' })
  expect(headers.topic).toMatch(/^[\w-]{32}$/)
  expect(headers.urgency).toBe('high')
  expect(Number(headers.ttl)).toBeGreaterThan(0)
  expect(json).toMatchObject({
    web_push: 8030,
    mutable: true,
    notification: { navigate: `http://localhost:8080/delivery/${it.id}` },
  })
  expect(next?.headers.topic).toBe(headers.topic)
  expect(next?.json.notification.tag).toBe(json.notification.tag)
})

describe('R117: a subscription', () => {
  const isSubscribed = async (name: string) => {
    const endpoint = `${one.service.origin}/${name}`
    const sql = 'select 1 from push_subscriptions where endpoint = $1'
    return (await one.pool().query(sql, [endpoint])).rows.length === 1
  }
  const answers = (code: number) => async (it: Begun) => {
    one.service.answers.set(`/${it.names.ama}`, code)
    await acceptAndSend(it)
  }
  const ends: [string, (it: Begun) => Promise<unknown>][] = [
    ['when the push service says 404', answers(404)],
    ['when the push service says 410', answers(410)],
    // However a session ends (R12), its row takes the subscription along.
    ['with its session', ({ ama }) => one.ask('logout', { token: ama.token })],
    ['when it is taken back', async ({ ama: { token } }) => one.ask('unsubscribe', { token })],
  ]
  test.each(ends)('ends %s', async (_, end) => {
    const it = await begun()
    expect(await isSubscribed(it.names.ama)).toBe(true)
    await end(it)
    expect(await isSubscribed(it.names.ama)).toBe(false)
  })

  test('ends for whoever was logged in on that browser before', async () => {
    const it = await begun()
    const { token } = await one.sender()
    await one.ask('subscribe', { token, body: one.service.subscribe(it.names.ama) })
    await acceptAndSend(it)
    expect(one.titles(it.names.ama)).toEqual([])
  })

  test('of a guest ends with its token alone: taken back, or replaced at a recovery', async () => {
    const [mine, other] = [await one.guestDelivery(), await one.guestDelivery()]
    await one.subscribe(mine, 'mine')
    await one.subscribe(other, 'other')
    await one.ask('unsubscribe', { token: mine.token })
    expect([await isSubscribed('mine'), await isSubscribed('other')]).toEqual([false, true])
    await one.ask('recoverGuest', { body: { guestPhone: other.phone } })
    const body = { guestPhone: other.phone, code: one.codeSentTo(other.phone) }
    const { value } = await one.ask('confirmGuestRecovery', { body })
    expect(await isSubscribed('other')).toBe(false)
    await one.subscribe({ token: value?.deliveries[0]?.guestToken ?? '' }, 'new-phone')
    await one.drive(other.delivery, await one.driver(), 'Accepted')
    await one.send()
    expect([one.titles('other').length, one.titles('new-phone').length]).toEqual([0, 1])
  })

  test('whose service fails is asked again later; where it refuses, not', async () => {
    for (const [code, told] of [
      [503, ['Yaw accepted your request']],
      [413, []],
    ] as const) {
      const it = await begun()
      await answers(code)(it)
      one.service.answers.clear()
      expect(one.titles(it.names.ama)).toEqual([])
      await sendAfter(minute)
      await one.send()
      expect(one.titles(it.names.ama)).toEqual(told)
    }
  })

  test('with keys that are none ends, and holds up no other message', async () => {
    const [it, broken] = [await begun(), await begun()]
    const { endpoint, keys } = one.service.subscribe('bad')
    const body = { endpoint, keys: { p256dh: 'A'.repeat(87), auth: keys.auth } }
    await one.ask('subscribe', { token: broken.ama.token, body })
    await accept(broken)
    await acceptAndSend(it)
    expect(await isSubscribed('bad')).toBe(false)
    expect(one.titles(it.names.ama)).toHaveLength(1)
  })

  test('of a person with very many browsers: the 20 newest are told', async () => {
    const it = await begun()
    for (let n = 0; n < 23; n++) {
      const body = { email: it.ama.email, password: it.ama.password }
      one.clock.advance(10)
      await one.subscribe(present((await one.ask('login', { body })).value), `many-${n}`)
    }
    await acceptAndSend(it)
    const told = [it.names.ama, ...Array.from({ length: 23 }, (_, n) => `many-${n}`)]
    expect(told.map((name) => one.titles(name).length)).toEqual([
      ...Array(4).fill(0),
      ...Array(20).fill(1),
    ])
  })
})

describe('R118: messages go to push services only', () => {
  const services = ['http://127.0.0.1:9000']
  test('those of browsers, by their host, and those of the settings', () => {
    for (const endpoint of [
      'https://fcm.googleapis.com/fcm/send/abc',
      'https://updates.push.services.mozilla.com/wpush/v2/abc',
      'https://web.push.apple.com/abc',
      'https://wns2-par02p.notify.windows.com/w/?token=abc',
      'HTTPS://FCM.GoogleApis.com:443/abc',
      'http://127.0.0.1:9000/abc',
    ])
      expect(isPushService(endpoint, services), endpoint).toBe(true)
    for (const endpoint of [
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
    ])
      expect(isPushService(endpoint, services), endpoint).toBe(false)
  })

  test('a subscription elsewhere is refused, and a redirect is not followed', async () => {
    const it = await begun()
    const { keys } = one.service.subscribe('elsewhere')
    const body = { endpoint: 'https://169.254.169.254/latest', keys }
    const { token } = it.ama
    const answer = await one.raw('POST', '/notifications/subscriptions', { token, body })
    expect(answer.status).toBe(400)
    one.service.answers.set(`/${it.names.ama}`, 307)
    await acceptAndSend(it)
    expect(one.arrived('elsewhere')).toEqual([])
  })

  test('without push the call is 404, and everything else works', async () => {
    const plain = await startTestServer(undefined, { push: undefined })
    const ama = await plain.sender()
    const body = one.service.subscribe('nowhere')
    const path = '/notifications/subscriptions'
    expect((await plain.raw('POST', path, { token: ama.token, body })).status).toBe(404)
    expect(present((await plain.ask('config')).value).pushKey).toBeUndefined()
    await plain.drive(await plain.delivery(ama), await plain.driver(), 'Delivered')
    await sendDueNotifications(plain.ports)
    await plain.close()
  })

  test('VAPID keys that cannot be opened are made anew, and the log says so', async () => {
    const lines: string[] = []
    const warn = (_: object, text: string) => void lines.push(text)
    const log = { info: () => {}, error: () => {}, warn }
    const settings = { subject: 'mailto:admin@soma.local', services: [] }
    const open = () => webPushSender(one.repo, one.ports.secrets, settings, log)
    const first = await open()
    expect((await open()).publicKey).toBe(first.publicKey)
    expect(lines).toEqual([])
    await one.pool().query(`update settings set value = 'AAAA' where name = 'vapid keys'`)
    const [second, third] = await Promise.all([open(), open()])
    expect(second.publicKey).not.toBe(first.publicKey)
    expect(third.publicKey).toBe(second.publicKey)
    expect(lines).toEqual(['The VAPID keys could not be opened and were made anew'])
  })
})

describe('R119: an SMS in place of a push', () => {
  const smsTo = (phone: string) =>
    one.sms.filter(({ to, text }) => to === phone && text.includes('/delivery/'))
  const confirm = ({ names }: Begun) => {
    const { id } = { id: one.arrived(names.ama).at(-1)?.json.notification.data }
    return one.ask('confirmNotification', { body: { id } })
  }

  test('goes after five minutes that no browser has confirmed, with a link and without a code', async () => {
    const { ama, made, id } = await begun('Delivered')
    await one.send()
    await sendAfter(4 * minute)
    expect(smsTo(ama.phone)).toEqual([])
    await sendAfter(2 * minute)
    await one.send()
    const [sms, ...more] = smsTo(ama.phone)
    expect(more).toEqual([])
    expect(sms?.text).toContain(`http://localhost:8080/delivery/${id}`)
    expect(sms?.text.length).toBeLessThanOrEqual(160)
    expect(sms?.text).not.toContain(present(made.deliveryCode))
  })

  const none: [string, Step, (it: Begun) => Promise<unknown>][] = [
    ['the browser has confirmed that it showed the message', 'Delivered', confirm],
    ['it matters less', 'Accepted', async () => {}],
    [
      'the sender has approved meanwhile',
      'Delivered',
      ({ ama, id }) => status(ama, id, 'Approved'),
    ],
  ]
  test.each(none)('does not go where %s', async (_, step, meanwhile) => {
    const it = await begun(step)
    await one.send()
    await meanwhile(it)
    await sendAfter(10 * minute)
    expect(smsTo(it.ama.phone)).toEqual([])
  })

  test('does not go where the browser confirms at the last moment, and goes once from two processes', async () => {
    for (const [expected, afterRead] of [
      [0, confirm],
      [
        1,
        async () => {
          // The lease has ended, as after a long pause of this process.
          await one.pool().query(`update notifications set due_at = now() - interval '1 day'`)
          await sendDueNotifications(one.ports)
        },
      ],
    ] as [number, (it: Begun) => Promise<unknown>][]) {
      const it = await begun('Delivered')
      await one.send()
      one.clock.advance(6 * minute)
      await sendDueNotifications({ ...one.ports, repo: repoWith(() => afterRead(it)) })
      expect(smsTo(it.ama.phone)).toHaveLength(expected)
    }
  })

  test('goes six times a day to one phone, and to nobody whose request no driver has taken', async () => {
    const [phone, strangers] = [one.newPhone(), one.newPhone()]
    await confirmGuest(phone)
    await confirmGuest(strangers)
    const requests = (senderPhone: string, many: number) =>
      Promise.all(Array.from({ length: many }, () => one.guestDelivery({ senderPhone })))
    await requests(strangers, 10)
    for (const { delivery } of await requests(phone, 8))
      await one.drive(delivery, await one.driver(), 'Delivered')
    await one.send()
    await sendAfter(6 * minute)
    expect([smsTo(phone).length, smsTo(strangers).length]).toEqual([6, 0])
  })

  test('R149: goes to a guest only once somebody has confirmed the number, by a code or as an account', async () => {
    const [junk, proved] = [one.newPhone(), one.newPhone()]
    await confirmGuest(proved)
    const { phone: account } = await one.sender()
    const { phone: unverified } = await one.signUp('sender')
    const phones = [junk, proved, account, unverified]
    for (const senderPhone of phones) {
      const { delivery } = await one.guestDelivery({ senderPhone })
      await one.drive(delivery, await one.driver(), 'Delivered')
    }
    await one.send()
    await sendAfter(6 * minute)
    expect(phones.map((phone) => smsTo(phone).length)).toEqual([0, 1, 1, 0])
  })

  test('is not kept back by a stranger’s receipt, which is of no message', async () => {
    const body = { id: '019a0000-0000-7000-8000-000000000000' }
    expect((await one.raw('POST', '/notifications/receipts', { body })).status).toBe(404)
  })

  test('does not go beyond half of the day’s budget, which login codes need', async () => {
    const few = await startPushServer({ options: { ...one.ports.options, smsDaily: 10 } })
    // To a noon: the minutes that follow are of one day of UTC, whenever this runs.
    few.clock.advance(36 * 60 * minute - (few.clock.now() % (24 * 60 * minute)))
    const [ama, yaw] = [await few.sender(), await few.driver()]
    const at = new Date(few.clock.now()).toISOString()
    await few.repo.transaction((stores) => {
      const text = { to: ama.phone, text: 'x' }
      return smsBudget(few.ports).order(stores, [text, text, text], at)
    })
    await few.drive(await few.delivery(ama), yaw, 'Delivered')
    await few.send()
    few.clock.advance(6 * minute)
    const before = few.sms.length
    await few.send()
    expect(few.sms.length).toBe(before)
    await few.close()
  })

  test('and a push are sent once, by one of two processes that look at the same time', async () => {
    const it = await begun('Accepted')
    await withTwo((two) => Promise.all([one.send(), sendDueNotifications(two), one.send()]))
    expect(one.titles(it.names.ama)).toEqual(['Yaw accepted your request'])
  })
})

describe('R120: a new job', () => {
  const awake = { from: 0, to: 0 }
  const osuToTema = { routes: [{ from: 'Osu', to: 'Tema' }], quiet: awake }
  const told = (name: string) => one.titles(name).filter((title) => title.includes('Osu to Tema'))

  /** A driver with these settings; those of other tests hear of nothing from then on. */
  async function listener(name: string, body: BodyOf<'changeNotifications'> = osuToTema) {
    const driver = await one.driver()
    await one.send()
    await one.subscribe(driver, name)
    await one.ask('changeNotifications', { token: driver.token, body })
    return driver
  }
  async function only(name: string) {
    await one.pool().query(`update users set notifications = null`)
    return listener(name)
  }
  /** The first queues a message to each driver, the second sends them. */
  async function sendTwice() {
    await one.send()
    await one.send()
  }
  const requests = async (many: number) => {
    for (let n = 0; n < many; n++) await one.delivery(await one.sender())
  }
  const sleepsNow = () => {
    const hour = new Date(one.clock.now() + 2 * minute).getUTCHours()
    return { from: new Date(one.clock.now()).getUTCHours(), to: (hour + 2) % 24 }
  }

  test('is told to who chose its route, is free and awake, and to nobody else', async () => {
    const hears: [string, BodyOf<'changeNotifications'>, number][] = [
      ['route', osuToTema, 1],
      ['any-start', { routes: [{ from: '*', to: 'Tema' }], quiet: awake }, 1],
      ['elsewhere', { routes: [{ from: 'Tema', to: 'Osu' }], quiet: awake }, 0],
      ['off', { ...osuToTema, kinds: { 'new-job': false } }, 0],
      ['asleep', { ...osuToTema, quiet: sleepsNow() }, 0],
    ]
    for (const [name, settings] of hears) await listener(name, settings)
    const busy = await listener('busy')
    const first = await one.delivery(await one.sender(), { pickupZone: 'Tema', dropoffZone: 'Osu' })
    await one.ask('acceptDelivery', { token: busy.token, id: first.ID })
    await one.send()
    const { delivery } = await one.guestDelivery({ itemDescription: 'Laptop' })
    await sendTwice()
    const names = [...hears.map(([name]) => name), 'busy']
    expect(names.map((name) => [name, told(name).length])).toEqual([
      ...hears.map(([name, _, many]) => [name, many]),
      ['busy', 0],
    ])
    expect(told('route')).toEqual(['₵60.50 · Osu to Tema'])
    expect(one.arrived('route')[0]?.payload).not.toContain(present(delivery.recipientPhone))
  })

  test('is not told to who gave it back, was rejected or fell asleep meanwhile, nor once it is cancelled', async () => {
    const yaw = await only('gave-back')
    await listener('free')
    const made = await one.delivery(await one.sender())
    await one.drive(made, yaw, 'Accepted')
    await one.send()
    await one.ask('releaseJob', { token: yaw.token, id: made.ID, body: { reason: 'Flat tyre' } })
    await sendTwice()
    expect([told('gave-back').length, told('free').length]).toEqual([0, 1])

    const [rejected, asleep] = [await only('rejected'), await listener('falls-asleep')]
    for (const name of ['rejected', 'falls-asleep']) one.service.answers.set(`/${name}`, 503)
    await requests(1)
    await sendTwice()
    one.service.answers.clear()
    const body = { status: 'rejected' as const }
    await one.ask('reviewDriver', { token: admin.token, id: rejected.user.ID, body })
    const quiet = { quiet: sleepsNow() }
    await one.ask('changeNotifications', { token: asleep.token, body: quiet })
    await sendAfter(2 * minute)
    expect([...told('rejected'), ...told('falls-asleep')]).toEqual([])

    await only('cancelled')
    const ama = await one.sender()
    await status(ama, (await one.delivery(ama)).ID, 'Cancelled')
    await sendTwice()
    expect(told('cancelled')).toEqual([])
  })

  test('is told at most five times a day to one driver, three of them of guests, by however many processes', async () => {
    await only('guests')
    for (let n = 0; n < 6; n++) await one.guestDelivery()
    await sendTwice()
    expect(told('guests')).toHaveLength(3)
    await withTwo(async (two) => {
      await requests(6)
      for (let times = 0; times < 2; times++)
        await Promise.all([one.ports, two, one.ports].map((ports) => sendDueNotifications(ports)))
    })
    expect(told('guests')).toHaveLength(5)
  })

  test('of one sender is told three times a day, and uses up nothing of what is told of others', async () => {
    await only('flooded')
    const senderPhone = one.newPhone()
    for (let n = 0; n < 5; n++) await one.guestDelivery({ senderPhone })
    await sendTwice()
    expect(told('flooded')).toHaveLength(3)
    await requests(1)
    await sendTwice()
    expect(told('flooded')).toHaveLength(4)
  })

  test('that a stopped server has taken is told by the next one, once', async () => {
    await only('next')
    await requests(4)
    let looks = 0
    // It has taken all four, and has told of one, when it stops.
    await sendDueNotifications(one.ports, () => looks++ > 1)
    expect(told('next')).toHaveLength(0)
    expect(await sendDueNotifications(one.ports, () => true)).toBe(0)
    await one.send()
    expect(told('next')).toHaveLength(1)
    one.clock.advance(minute)
    await sendTwice()
    expect(told('next')).toHaveLength(4)
  })
})

describe('R121: settings', () => {
  test('a kind that is off is not told, by push or by SMS, until it is on again', async () => {
    const { ama, yaw, names, made } = await begun()
    const change = async (on: boolean) => {
      const body = { kinds: { accepted: on, delivered: on, 'approval-due': on } }
      await one.ask('changeNotifications', { token: ama.token, body })
      return present((await one.ask('me', { token: ama.token })).value).user.notifications?.off
    }
    expect(await change(false)).toEqual(['accepted', 'approval-due', 'delivered'])
    await one.drive(made, yaw, 'Delivered')
    await one.send()
    one.clock.advance(6 * minute)
    const before = one.sms.length
    await one.send()
    expect([one.titles(names.ama), one.sms.length]).toEqual([[], before])
    expect(await change(true)).toEqual([])
  })

  test('are nobody else’s to see or to bend', async () => {
    const { ama, yaw } = await begun()
    const patch = async ({ token }: Person, body: object) =>
      (await one.raw('PATCH', '/users/me/notifications', { token, body })).status
    const route = { from: 'Osu', to: 'Tema' }
    const tries: [Person, object, number][] = [
      [ama, { routes: [route] }, 403],
      [ama, { kinds: { delivered: false } }, 200],
      [yaw, { routes: [{ from: 'Osu', to: 'Nowhere' }] }, 400],
      [yaw, { routes: Array(11).fill(route) }, 400],
      [yaw, { routes: [{ from: '*', to: 'Tema' }] }, 200],
    ]
    for (const [who, body, expected] of tries)
      expect(await patch(who, body), JSON.stringify(body)).toBe(expected)
    for (const path of [`/admin/users/${ama.user.ID}`, '/admin/users']) {
      const seen = await one.raw('GET', path, { token: admin.token })
      expect(await seen.text()).not.toContain('"notifications"')
    }
  })
})
