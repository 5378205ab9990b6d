import { afterAll, describe, expect, test } from 'vitest'
import type { BodyOf } from '#contract/queries.ts'
import { everyDay } from '#domain/users/commutes.ts'
import { defaultPlaces } from '#domain/zones/default-places.ts'
import { waysOver } from '#domain/zones/on-the-way.ts'
import { distancesOf } from '#domain/zones/roads.ts'
import { smsBudget } from '#server/limits/sms-budget.ts'
import { isPushService, webPushSender } from '#server/node/messages/push.ts'
import { sendDueNotifications } from '#server/notifications/send-due.ts'
import type { Repo } from '#server/ports/repo.ts'
import type { ServiceStatus } from '#server/routes/readiness.ts'
import { readinessWatch } from '#server/routes/readiness-watch.ts'
import { settleDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { type Person, present, startTestServer } from '../../helpers/server/server.ts'
import { startPushServer } from './push-fixture.ts'

/*
 * What is sent of the messages that `who-is-told.test.ts` finds queued, by which way and to whom: real Web Push to a
 * service that opens what arrives.
 */

const minute = 60_000
const day = 24 * 60 * minute
const one = await startPushServer()
const admin = await one.admin()
let count = 0
afterAll(() => one.close())

type Step = 'Accepted' | 'Picked Up' | 'Delivered'
type Begun = Awaited<ReturnType<typeof begun>>
type Change = (it: Begun) => Promise<unknown>

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
  one.changeStatus(by, id, to)
const accept = ({ yaw, id }: Begun) => one.ask('acceptDelivery', { token: yaw.token, id })
const acceptAndSend: Change = (it) => accept(it).then(one.send)
const release = (token: string, id: string) =>
  one.ask('releaseJob', { token, id, body: { reason: 'Flat tyre' } })

/** The deliveries of a guest with this number, found again by a code: their tokens are new, and the number is confirmed. */
async function recovered(guestPhone: string) {
  await one.ask('recoverGuest', { body: { guestPhone } })
  const code = one.codeSentTo(guestPhone)
  const { value } = await one.ask('confirmGuestRecovery', { body: { guestPhone, code } })
  return { token: present(present(value).deliveries[0]).guestToken }
}

/** The messages about a delivery that went to this phone by SMS. */
const smsTo = (phone: string) =>
  one.sms.filter(({ to, text }) => to === phone && text.includes('/delivery/'))

/* What can happen while something is to be sent. */

const answered =
  (code: number): Change =>
  async (it) => {
    one.service.answers.set(`/${it.names.ama}`, code)
    await acceptAndSend(it)
    one.service.answers.clear()
    expect(one.titles(it.names.ama)).toEqual([])
    one.clock.advance(minute)
  }
const passedOn: Change = async (it) => {
  await one.subscribe(await one.sender(), it.names.ama)
  await accept(it)
}
const switchedOff: Change = async ({ ama, yaw, made }) => {
  const change = async (on: boolean) => {
    const body = { kinds: { accepted: on, delivered: on, 'approval-due': on } }
    const { value } = await one.ask('changeNotifications', { token: ama.token, body })
    return present(value).user.notifications?.off
  }
  expect([await change(true), await change(false)]).toEqual([
    [],
    ['accepted', 'approval-due', 'delivered'],
  ])
  await one.drive(made, yaw, 'Delivered')
}
const bringBack: Change = ({ id, yaw }) => one.bringBack(id, yaw)
const cancelIt: Change = async (it) => {
  await bringBack(it)
  await status(admin, it.id, 'Cancelled')
}
const answeredByHand: Change = async ({ yaw, id }) => {
  const { ID } = await one.report(yaw, id, 'No item', 'driver_issue')
  const body = { status: 'resolved' as const, resolution: 'Give it back.' }
  await one.ask('resolveDispute', { token: admin.token, id: ID, body })
  await release(yaw.token, id)
}
const settle: Change = async () => {
  one.clock.advance(2 * day)
  await settleDueDeliveries(one.ports)
}
const confirm: Change = ({ names }) => {
  const id = one.arrived(names.ama).at(-1)?.json.notification.data
  return one.ask('confirmNotification', { body: { id } })
}
const approve: Change = ({ ama, id }) => status(ama, id, 'Approved')
const unpaid: Change = async (it) => {
  await approve(it)
  await one.ask('reportUnpaid', { token: it.yaw.token, id: it.id })
}
const sendByTwo = () => Promise.all([one.send(), one.sendElsewhere(), one.send()])
/** The lease has ended, as after a long pause of this process. */
const sendLate: Change = async () => {
  await one.pool().query(`update notifications set due_at = at where sms_at is not null`)
  await one.sendElsewhere()
}

describe('R115: what is sent', () => {
  test('R116: each step to the other side, once, as a signed request of RFC 8030 and 8292 with one topic and tag', async () => {
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
    const steps = ['Yaw accepted your request', 'Yaw picked up Laptop', 'Laptop was delivered']
    expect(one.titles(it.names.ama)).toEqual(steps)
    expect(one.titles(it.names.yaw)).toEqual(['Ama says you were paid ₵60.50'])
    expect(one.service.problems).toEqual([])

    const [push, next] = one.arrived(it.names.ama).map(present)
    const { headers, claims, json } = present(push)
    expect(claims).toMatchObject({ aud: one.service.origin, sub: 'mailto:admin@soma.local' })
    expect(headers).toMatchObject({ topic: expect.stringMatching(/^[\w-]{32}$/), urgency: 'high' })
    expect(Number(headers.ttl)).toBeGreaterThan(0)
    const navigate = `http://localhost:8080/delivery/${it.id}`
    expect(json).toMatchObject({ web_push: 8030, mutable: true, notification: { navigate } })
    expect(next?.headers.topic).toBe(headers.topic)
    expect(next?.json.notification.tag).toBe(json.notification.tag)
  })

  test('the end of the wait for an approval half-way, and the approval to both', async () => {
    const it = await begun('Delivered')
    await one.send()
    await one.sendAfter(day - minute)
    expect(one.titles(it.names.ama)).toEqual(['Laptop was delivered'])
    await one.sendAfter(2 * minute)
    expect(one.titles(it.names.ama)).toEqual(['Laptop was delivered', 'Approve Laptop'])
    await settle(it)
    await one.send()
    expect(one.titles(it.names.ama).at(-1)).toBe('Laptop was approved automatically')
    expect(one.titles(it.names.yaw)).toEqual(['Laptop was approved'])
  })

  const [delivered, paid] = ['Laptop was delivered', 'Ama says you were paid ₵60.50']
  const [accepted, cancelled] = ['Yaw accepted your request', 'Laptop was cancelled']
  const [offered, back] = ['Your request is on offer again', 'Yaw is bringing Laptop back']
  const [approvedByServer, unasked] = ['Laptop was approved automatically', 'Laptop was approved']
  const missing = 'Yaw did not receive ₵60.50'
  /** What happens before anything is sent, after it, and between what is read for an SMS and what is sent. */
  type Ways = { before?: Change; meanwhile?: Change; afterRead?: Change }
  type Case = [step: Step | undefined, Ways, sender: string[], driver: string[], sms: number]
  const cases: Record<string, Case> = {
    'an SMS where it matters, once': ['Delivered', {}, [delivered], [], 1],
    'no SMS once it is confirmed': ['Delivered', { meanwhile: confirm }, [delivered], [], 0],
    'no SMS, confirmed at last': ['Delivered', { afterRead: confirm }, [delivered], [], 0],
    'no SMS once it is approved': ['Delivered', { meanwhile: approve }, [delivered], [paid], 0],
    'one SMS of two processes': ['Delivered', { afterRead: sendLate }, [delivered], [], 1],
    'one push of two processes, and no SMS where it matters less': [
      'Accepted',
      { before: sendByTwo },
      [accepted],
      [],
      0,
    ],
    'what a service did not take': [undefined, { before: answered(503) }, [accepted], [], 0],
    'not what a service refused': [undefined, { before: answered(413) }, [], [], 0],
    'not to whom had the browser': [undefined, { before: passedOn }, [], [], 0],
    'R121: not a kind that is off': [undefined, { before: switchedOff }, [], [], 0],
    'not that it is coming back': ['Picked Up', { before: cancelIt }, [cancelled], [cancelled], 0],
    'not to call the recipient': ['Picked Up', { before: bringBack }, [back], [], 0],
    'no answer to a former driver': ['Accepted', { before: answeredByHand }, [offered], [], 0],
    'not what was due before': ['Delivered', { before: settle }, [approvedByServer], [unasked], 0],
    'R171: what was not received': ['Delivered', { before: unpaid }, [missing], [paid], 0],
  }
  test.each(Object.entries(cases))('R119: %s', async (_, [step, ways, sender, driver, sms]) => {
    const { before, meanwhile, afterRead } = ways
    const it = await begun(step)
    await before?.(it)
    await one.send()
    await meanwhile?.(it)
    one.clock.advance(6 * minute)
    const read: Repo['read'] = (work) =>
      one.repo.read(work).then((found) => Promise.resolve(afterRead?.(it)).then(() => found))
    await sendDueNotifications({ ...one.ports, repo: { ...one.repo, read } })
    await one.send()
    const told = [one.titles(it.names.ama), one.titles(it.names.yaw), smsTo(it.ama.phone).length]
    expect(told).toEqual([sender, driver, sms])
  })
})

describe('R117: a subscription', () => {
  const isSubscribed = async (name: string) => {
    const sql = 'select 1 from push_subscriptions where endpoint = $1'
    return (await one.pool().query(sql, [`${one.service.origin}/${name}`])).rows.length === 1
  }
  const says =
    (code: number): Change =>
    async (it) => {
      one.service.answers.set(`/${it.names.ama}`, code)
      await acceptAndSend(it)
    }
  test.each<[string, Change]>([
    ['when the push service says 404', says(404)],
    ['when the push service says 410', says(410)],
    // However a session ends (R12), its row takes the subscription along.
    ['with its session', ({ ama }) => one.ask('logout', { token: ama.token })],
    ['when it is taken back', ({ ama: { token } }) => one.ask('unsubscribe', { token })],
    [
      'with keys that are none, and holds up no other message',
      async (it) => {
        const other = await begun('Accepted')
        const { endpoint, keys } = one.service.subscribe(it.names.ama)
        const body = { endpoint, keys: { ...keys, p256dh: 'A'.repeat(87) } }
        await one.ask('subscribe', { token: it.ama.token, body })
        await acceptAndSend(it)
        expect(one.titles(other.names.ama)).toHaveLength(1)
      },
    ],
  ])('ends %s', async (_, end) => {
    const it = await begun()
    expect(await isSubscribed(it.names.ama)).toBe(true)
    await end(it)
    expect(await isSubscribed(it.names.ama)).toBe(false)
  })

  test('of a guest is told of its delivery alone, and ends with its token: taken back, or replaced at a recovery', async () => {
    const [mine, other] = [await one.guestDelivery(), await one.guestDelivery()]
    await one.subscribe(mine, 'mine')
    await one.subscribe(other, 'other')
    await one.drive(mine.delivery, await one.driver({ name: 'Yaw Boateng' }), 'Accepted')
    await one.send()
    expect([one.titles('mine'), one.titles('other')]).toEqual([['Yaw accepted your request'], []])
    await one.ask('unsubscribe', { token: mine.token })
    expect([await isSubscribed('mine'), await isSubscribed('other')]).toEqual([false, true])
    await one.subscribe(await recovered(other.phone), 'new-phone')
    expect(await isSubscribed('other')).toBe(false)
    await one.drive(other.delivery, await one.driver(), 'Accepted')
    await one.send()
    expect([one.titles('other').length, one.titles('new-phone').length]).toEqual([0, 1])
  })

  test('of a person with very many browsers: the 20 newest are told', async () => {
    const it = await begun()
    const names = Array.from({ length: 21 }, (_, n) => `many-${n}`)
    for (const name of names) {
      const body = { email: it.ama.email, password: it.ama.password }
      one.clock.advance(10)
      await one.subscribe(present((await one.ask('login', { body })).value), name)
    }
    await acceptAndSend(it)
    const told = [it.names.ama, ...names].filter((name) => one.titles(name).length === 1)
    expect(told).toEqual(names.slice(-20))
  })
})

describe('R118: messages go to push services only', () => {
  test('those of browsers, by their host, and those of the settings', () => {
    const hosts = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com']
    const accepted = [
      ...hosts.map((host) => `https://${host}/wpush/v2/abc`),
      'https://wns2-par02p.notify.windows.com/w/?token=abc',
      'HTTPS://FCM.GoogleApis.com:443/abc',
      'http://127.0.0.1:9000/abc',
    ]
    const refused = hosts.flatMap((host) => [
      `http://${host}/abc`,
      `//${host}/abc`,
      `https://${host}:8443/abc`,
      `https://${host}.evil.example/abc`,
      `https://evil-${host}.example/abc`,
      `https://user:secret@${host}/abc`,
      `https://${host}@127.0.0.1/`,
      `https://${host}./abc`,
      `https://127.0.0.1\\@${host}/`,
      `https://${host}%2eevil.example/`,
      `https://${host.replaceAll('.', '。')}.evil.example/abc`,
      `https://ｅvil.${host}:444/abc`,
      `https://${host}/${'a'.repeat(2_000)}`,
    ])
    const others =
      `https://evilnotify.windows.com/abc https://notify.windows.com.:443/abc https://0x7f000001/abc
      https://[::1]/abc https://[::ffff:127.0.0.1]/abc http://127.0.0.1:9000@169.254.169.254/abc http://127.0.0.1:9001/abc
      http://127.0.0.1:9000.evil.example/abc ftp://127.0.0.1:9000/abc https://169.254.169.254/latest/meta-data
      http://localhost:8080/api/admin/stats file:///etc/passwd javascript:alert(1)`.split(/\s+/)
    const isAccepted = (endpoint: string) => isPushService(endpoint, ['http://127.0.0.1:9000'])
    expect(accepted.filter((endpoint) => !isAccepted(endpoint))).toEqual([])
    expect([...refused, ...others, ''].filter(isAccepted)).toEqual([])
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
    // It would open what arrives there with other keys.
    expect([one.arrived('elsewhere'), one.service.problems]).toEqual([[], []])
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
  test('goes after five minutes that no browser has confirmed, with a link and without a code', async () => {
    const { ama, made, id } = await begun('Delivered')
    await one.send()
    // A stranger's receipt is of no message.
    const body = { id: '019a0000-0000-7000-8000-000000000000' }
    expect((await one.raw('POST', '/notifications/receipts', { body })).status).toBe(404)
    await one.sendAfter(4 * minute)
    expect(smsTo(ama.phone)).toEqual([])
    await one.sendAfter(2 * minute)
    const [{ text } = { text: '' }] = smsTo(ama.phone)
    expect(text).toContain(`http://localhost:8080/delivery/${id}`)
    expect(text).not.toContain(present(made.deliveryCode))
  })

  test('R149: goes six times a day to one phone that a guest or an account has confirmed, to no other, and to nobody whose request no driver has taken', async () => {
    const [proved, waiting, junk] = [one.newPhone(), one.newPhone(), one.newPhone()]
    const { phone: account } = await one.sender()
    const { phone: unverified } = await one.signUp('sender')
    for (const senderPhone of [proved, waiting]) {
      const { delivery } = await one.guestDelivery({ senderPhone })
      const { token } = await recovered(senderPhone)
      const body = { status: 'Cancelled' as const, guestPhone: senderPhone }
      await one.ask('changeGuestStatus', { token, id: delivery.ID, body })
    }
    const yaw = await one.driver()
    for (const senderPhone of [...Array(7).fill(proved), junk, account, unverified])
      await one.drive((await one.guestDelivery({ senderPhone })).delivery, yaw, 'Delivered')
    for (let n = 0; n < 3; n++) await one.guestDelivery({ senderPhone: waiting })
    await one.send()
    await one.sendAfter(6 * minute)
    const many = [proved, account, junk, unverified, waiting].map((phone) => smsTo(phone).length)
    expect(many).toEqual([6, 1, 0, 0, 0])
  })

  test.each([
    [0, 0],
    [2, 1],
  ])(
    'goes while half of the day’s budget, which login codes need, is left: %i more',
    async (more, many) => {
      // To a noon: the minutes that follow are of one day of UTC, whenever this runs.
      await one.sendAfter(1.5 * day - (one.clock.now() % day))
      // What others still wait for would take of the budget, in any order.
      await one.pool().query('delete from notifications')
      const { ama } = await begun('Delivered')
      await one.send()
      one.clock.advance(6 * minute)
      const at = new Date(one.clock.now()).toISOString()
      const sent = await one.repo.read((stores) => smsBudget(one.ports).sent(stores, at))
      const options = { ...one.ports.options, smsDaily: 2 * sent + more }
      await sendDueNotifications({ ...one.ports, options })
      expect(smsTo(ama.phone)).toHaveLength(many)
    },
  )
})

describe('R224: the office', () => {
  test('is told of what others did and still waits for it, of each kind that is on', async () => {
    const office = await one.admin()
    await one.subscribe(office, 'office')
    const report = async (by: 'ama' | 'yaw') => {
      const it = await begun('Accepted')
      const { ID } = await one.report(
        it[by],
        it.id,
        'Late',
        by === 'ama' ? undefined : 'driver_issue',
      )
      return { id: ID, body: { status: 'resolved' as const, resolution: 'We spoke to both.' } }
    }
    await report('ama')
    const decided = await report('yaw')
    await one.ask('resolveDispute', { token: office.token, ...decided })
    await one.send()
    expect(one.titles('office')).toEqual(['New dispute about Laptop'])
    const applied = await one.signUp('driver')
    await one.send()
    expect(one.titles('office').slice(1)).toEqual(['A driver has applied'])
    expect(one.titles('office')).not.toContain(applied.user.name)
    const kinds = { 'office-dispute': false }
    await one.ask('changeNotifications', { token: office.token, body: { kinds } })
    await report('ama')
    await one.send()
    expect(one.titles('office').filter((title) => title.includes('dispute'))).toHaveLength(1)
    const { token } = await one.sender()
    const refused = await one.raw('PATCH', '/users/me/notifications', { token, body: { kinds } })
    expect(refused.status).toBe(400)
  })

  const notReady = (over: object = {}) => ({
    status: 'not ready' as const,
    checks: { database: 'ready', migrations: 'ready', disk: 'full', uploads: 'ready', ...over },
    problem: 'the disk of the database is full',
  })
  const ready = { status: 'ready' as const, checks: { ...notReady().checks, disk: 'ready' } }
  const stopping = { ...ready, status: 'stopping' as const }

  test.each([
    ['a full disk', {}, 1],
    // Nothing says what other processes do; a browser shows the messages of one tag as one.
    ['a database that does not answer', { database: 'unreachable' }, 2],
  ])(
    'R225: is told of %s after a minute and of its end, once, by two processes',
    async (_, over, messages) => {
      const name = `office-${++count}`
      await one.subscribe(await one.admin(), name)
      let now: ServiceStatus = ready as ServiceStatus
      const watches = [1, 2].map(() => readinessWatch(one.ports, async () => now))
      const look = async (after: number, status: object) => {
        one.clock.advance(after)
        now = status as ServiceStatus
        for (const watch of watches) await watch()
        return one.titles(name)
      }
      expect(await look(0, ready)).toEqual([])
      const failing = notReady(over)
      expect(await look(0, failing)).toEqual([])
      expect(await look(50_000, stopping)).toEqual([])
      expect(await look(0, failing)).toEqual([])
      const told = Array(messages).fill('A server is not ready')
      one.service.answers.set(`/${name}`, 503)
      expect(await look(11_000, failing)).toEqual([])
      one.service.answers.clear()
      expect(await look(1_000, failing)).toEqual(told)
      expect(await look(10 * minute, failing)).toEqual(told)
      const again = [...told, 'The server is ready again']
      expect(await look(1_000, ready)).toEqual(again)
      expect(await look(10 * minute, ready)).toEqual(again)
      const tags = one
        .arrived(name)
        .map(({ json, headers }) => [json.notification.tag, headers.topic])
      expect(new Set(tags.map(String)).size).toBe(1)
    },
  )
})

describe('R120: a new job', () => {
  const awake = { from: 0, to: 0 }
  const osuToTema = { routes: [{ from: 'Osu', to: 'Tema' }], quiet: awake }
  const told = (name: string) =>
    one.titles(name).filter((title) => title.includes('Osu to Tema')).length

  /** A driver with these settings. */
  async function listener(name: string, body: BodyOf<'changeNotifications'> = osuToTema) {
    const driver = await one.driver()
    await one.subscribe(driver, name)
    await one.ask('changeNotifications', { token: driver.token, body })
    return driver
  }
  /** The only one: drivers of other tests hear of nothing from then on. */
  async function only(name: string) {
    await one.send()
    await one.pool().query(`update users set notifications = null`)
    return listener(name)
  }
  /** The first queues a message to each driver, the second sends them. */
  const sendTwice = () => one.send().then(one.send)
  const requests = async (many: number) => {
    for (let n = 0; n < many; n++) await one.delivery(await one.sender())
  }
  const asleep = () => {
    const from = new Date(one.clock.now()).getUTCHours()
    return { quiet: { from, to: (from + 3) % 24 } }
  }

  test('is told to who chose its route, is free and awake, and to nobody else, whatever comes between', async () => {
    const hears: [string, BodyOf<'changeNotifications'>, number][] = [
      ['route', osuToTema, 1],
      ['any-start', { routes: [{ from: '*', to: 'Tema' }], quiet: awake }, 1],
      ['elsewhere', { routes: [{ from: 'Tema', to: 'Osu' }], quiet: awake }, 0],
      ['off', { ...osuToTema, kinds: { 'new-job': false } }, 0],
      ['asleep', { ...osuToTema, ...asleep() }, 0],
      ['busy', osuToTema, 0],
      ['gave-back', osuToTema, 0],
      ['unreached', osuToTema, 1],
      ['rejected-meanwhile', osuToTema, 0],
      ['asleep-meanwhile', osuToTema, 0],
    ]
    const drivers: Record<string, Person> = {}
    for (const [name, settings] of hears) drivers[name] = await listener(name, settings)
    const of = (name: string) => present(drivers[name])
    const [first, made] = [
      await one.delivery(await one.sender()),
      await one.delivery(await one.sender()),
    ]
    await one.drive(first, of('busy'), 'Accepted')
    await one.drive(made, of('gave-back'), 'Accepted')
    await one.send()
    const late = ['unreached', 'rejected-meanwhile', 'asleep-meanwhile']
    for (const name of late) one.service.answers.set(`/${name}`, 503)
    await release(of('gave-back').token, made.ID)
    await sendTwice()
    one.service.answers.clear()
    const [id, body] = [of('rejected-meanwhile').user.ID, { status: 'rejected' as const }]
    await one.ask('reviewDriver', { token: admin.token, id, body })
    const { token } = of('asleep-meanwhile')
    await one.ask('changeNotifications', { token, body: asleep() })
    const ama = await one.sender()
    await status(ama, (await one.delivery(ama)).ID, 'Cancelled')
    await one.sendAfter(2 * minute)
    await one.send()
    const heard = hears.map(([name]) => [name, told(name)])
    expect(heard).toEqual(hears.map(([name, _, many]) => [name, many]))
    const push = one.arrived('route').at(-1)
    expect(push?.json.notification.title).toBe('₵60.50 · Osu to Tema')
    expect(push?.payload).not.toContain(present(made.recipientPhone))
  })

  test('R167: is told to whom it is on the way of, in the two hours before they leave there or back on that day', async () => {
    const distance = distancesOf(defaultPlaces())
    const over = waysOver(distance, defaultPlaces(), 'Osu', 'Tema')
    const onWay = present(over.find(({ from }) => from !== 'Osu'))
    const offWay = { from: onWay.to, to: onWay.from }
    const [there, back] = [
      { from: 'Osu', to: 'Tema' },
      { from: 'Tema', to: 'Osu' },
    ]
    const dayAt = (time: Date) => time.getUTCDay() || 7
    const hears: [string, object, number | undefined, number | undefined, boolean][] = [
      ['leaves-soon', there, 60, undefined, true],
      ['leaves-in-two-hours', there, 119, undefined, true],
      ['leaves-later', there, 122, undefined, false],
      ['has-left', there, -2, undefined, false],
      ['goes-past', onWay, 60, undefined, true],
      ['goes-elsewhere', offWay, 60, undefined, false],
      ['returns-soon', back, undefined, 60, true],
      ['returns-past-it', offWay, -60, 60, true],
      ['returns-later', back, 60, 240, false],
      ['on-other-days', { ...there, days: 'others' }, 60, undefined, false],
      ['not-told', { ...there, notify: false }, 60, undefined, false],
      ['from-anywhere', { from: '*', to: 'Tema' }, 60, undefined, true],
      ['to-anywhere', { from: 'Osu', to: '*' }, 60, undefined, true],
      ['any-way-back', { from: '*', to: 'Osu' }, undefined, 60, true],
      ['any-other-end', { from: 'Tema', to: '*' }, 60, undefined, false],
      ['at-any-hour', there, undefined, undefined, true],
      ['past-it-at-any-hour', onWay, undefined, undefined, true],
      ['at-any-hour-of-other-days', { ...there, days: 'others' }, undefined, undefined, false],
    ]
    const timeIn = (minutes: number) => new Date(one.clock.now() + minutes * minute)
    const clockIn = (minutes: number | undefined) =>
      minutes === undefined ? undefined : timeIn(minutes).toISOString().slice(11, 16)
    for (const [name, about, leaves, returns] of hears) {
      const { token } = await listener(name, { quiet: awake })
      const day = dayAt(
        timeIn(leaves === undefined || name === 'returns-past-it' ? (returns ?? 0) : leaves),
      )
      const days =
        'days' in about && about.days === 'others' ? everyDay.filter((each) => each !== day) : [day]
      const times = { leaves: clockIn(leaves), returns: clockIn(returns) }
      const commute = { notify: true, ...about, ...times, days }
      const { status } = await one.raw('PUT', '/driver/commutes', {
        token,
        body: { commutes: [commute] },
      })
      expect(status, name).toBe(200)
    }
    await one.delivery(await one.sender())
    await sendTwice()
    expect(hears.map(([name]) => [name, told(name)])).toEqual(
      hears.map(([name, _, __, ___, isTold]) => [name, isTold ? 1 : 0]),
    )
  })

  test('is told at most five times a day to one driver, three of them of guests, by however many processes', async () => {
    await only('many')
    for (let n = 0; n < 6; n++) await one.guestDelivery()
    await sendTwice()
    expect(told('many')).toBe(3)
    await requests(6)
    for (let times = 0; times < 2; times++) await sendByTwo()
    expect(told('many')).toBe(5)
  })

  test('of one sender is told three times a day, and uses up nothing of what is told of others', async () => {
    await only('flooded')
    const ama = await one.sender()
    for (let n = 0; n < 5; n++) {
      const { ID } = await one.delivery(ama)
      await sendTwice()
      await status(ama, ID, 'Cancelled')
    }
    expect(told('flooded')).toBe(3)
    await requests(1)
    await sendTwice()
    expect(told('flooded')).toBe(4)
  })

  test('that a stopped server has taken is told by the next one, once', async () => {
    await only('next')
    await requests(4)
    let looks = 0
    // It has taken all four, and has told of one, when it stops.
    await sendDueNotifications(one.ports, () => looks++ > 1)
    expect(told('next')).toBe(0)
    expect(await sendDueNotifications(one.ports, () => true)).toBe(0)
    await one.send()
    expect(told('next')).toBe(1)
    await one.sendAfter(minute)
    await one.send()
    expect(told('next')).toBe(4)
  })
})

test('R121: settings are nobody else’s to see or to bend', async () => {
  const { ama, yaw } = await begun()
  const route = { from: 'Osu', to: 'Tema' }
  const tries: [Person, object, number][] = [
    [ama, { routes: [route] }, 403],
    [ama, { kinds: { delivered: false } }, 200],
    [yaw, { routes: [{ from: 'Osu', to: 'Nowhere' }] }, 400],
    [yaw, { routes: Array(11).fill(route) }, 400],
    [yaw, { routes: [{ from: '*', to: 'Tema' }] }, 200],
  ]
  for (const [{ token }, body, expected] of tries) {
    const { status } = await one.raw('PATCH', '/users/me/notifications', { token, body })
    expect(status, JSON.stringify(body)).toBe(expected)
  }
  for (const path of [`/admin/users/${ama.user.ID}`, '/admin/users']) {
    const seen = await one.raw('GET', path, { token: admin.token })
    expect(await seen.text()).not.toContain('"notifications"')
  }
})
