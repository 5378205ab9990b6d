import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webPushSender } from '#server/node/messages/push.ts'
import { sendDueNotifications } from '#server/notifications/send-due.ts'
import { type Person, startTestServer } from '../../helpers/server/server.ts'
import { type PushServer, startPushServer } from './push-fixture.ts'

/* What strangers, several server processes and unlucky moments do not achieve. */

const minute = 60_000
let one: PushServer
let admin: Person
beforeAll(async () => {
  one = await startPushServer()
  admin = await one.admin()
})
afterAll(() => one.close())

const awake = { from: 0, to: 0 }
const route = { from: 'Osu', to: 'Tema' }

/** A driver who hears of every job from Osu to Tema. */
async function listener(name: string, quiet = awake) {
  const driver = await one.driver()
  await one.send()
  await one.subscribe(driver, name)
  await one.ask('changeNotifications', { token: driver.token, body: { routes: [route], quiet } })
  return driver
}

/** So that the listeners of other tests hear of nothing. */
const deafen = () => one.pool().query(`update users set notifications = null`)
const jobsTold = (name: string) => one.titles(name).filter((title) => title.includes('Osu to Tema'))

describe('R120: news of new jobs', () => {
  test('of guests at most three a day to one driver, whose phones nobody has proved', async () => {
    await listener('guests')
    for (let i = 0; i < 6; i++) await one.guestDelivery()
    await one.send()
    await one.send()
    expect(jobsTold('guests')).toHaveLength(3)
    for (let i = 0; i < 4; i++) await one.delivery(await one.sender())
    await one.send()
    await one.send()
    expect(jobsTold('guests')).toHaveLength(5)
    await deafen()
  })

  test('at most five a day, also with two server processes at once', async () => {
    await listener('two')
    const two = await startTestServer(one.database, { push: one.push, clock: one.clock.now })
    try {
      for (let i = 0; i < 12; i++) await one.delivery(await one.sender())
      const both = () =>
        Promise.all([one.ports, two.ports, one.ports].map((ports) => sendDueNotifications(ports)))
      await both()
      await both()
      expect(jobsTold('two')).toHaveLength(5)
    } finally {
      await two.close()
      await deafen()
    }
  })

  test('of a server that stops are told by the next one, each once', async () => {
    await listener('next')
    for (let i = 0; i < 4; i++) await one.delivery(await one.sender())
    let looks = 0
    // It has taken all four, and has told of one, when it stops.
    await sendDueNotifications(one.ports, () => looks++ > 1)
    expect(jobsTold('next')).toHaveLength(0)
    expect(await sendDueNotifications(one.ports, () => true)).toBe(0)
    await one.send()
    expect(jobsTold('next')).toHaveLength(1)
    one.clock.advance(minute)
    await one.send()
    await one.send()
    expect(jobsTold('next')).toHaveLength(4)
    await deafen()
  })

  test('do not reach the driver who gave the job back, and reach the others', async () => {
    const yaw = await listener('gave-back')
    await listener('free')
    const made = await one.delivery(await one.sender())
    await one.drive(made, yaw, 'Accepted')
    await one.send()
    await one.ask('releaseJob', { token: yaw.token, id: made.ID, body: { reason: 'Flat tyre' } })
    await one.send()
    await one.send()
    expect(jobsTold('gave-back')).toEqual([])
    expect(jobsTold('free')).toHaveLength(1)
    await deafen()
  })

  test('do not reach a driver who was rejected, or whose quiet hours began, meanwhile', async () => {
    const hour = new Date(one.clock.now() + 2 * minute).getUTCHours()
    const rejected = await listener('rejected')
    const asleep = await listener('asleep')
    for (const name of ['rejected', 'asleep']) one.service.answers.set(`/${name}`, 503)
    await one.delivery(await one.sender())
    await one.send()
    await one.send()
    one.service.answers.clear()
    const body = { status: 'rejected' as const }
    await one.ask('reviewDriver', { token: admin.token, id: rejected.user.ID, body })
    const quiet = { from: hour, to: (hour + 2) % 24 }
    await one.ask('changeNotifications', { token: asleep.token, body: { quiet } })
    one.clock.advance(2 * minute)
    await one.send()
    expect([...jobsTold('rejected'), ...jobsTold('asleep')]).toEqual([])
    await deafen()
  })

  test('are not sent of a job that was cancelled before', async () => {
    await listener('cancelled')
    const ama = await one.sender()
    const made = await one.delivery(ama)
    const body = { status: 'Cancelled' as const }
    await one.ask('changeStatus', { token: ama.token, id: made.ID, body })
    await one.send()
    await one.send()
    expect(jobsTold('cancelled')).toEqual([])
    await deafen()
  })
})

describe('R119: SMS', () => {
  const smsTo = (person: Person) =>
    one.sms.filter(({ to, text }) => to === person.phone && text.includes('/delivery/'))

  async function delivered() {
    const ama = await one.sender()
    const yaw = await one.driver()
    await one.subscribe(ama, `sms-${ama.phone}`)
    const made = await one.delivery(ama)
    await one.drive(made, yaw, 'Delivered')
    await one.send()
    return { ama, name: `sms-${ama.phone}` }
  }

  test('is not sent where the browser confirms the message at the last moment', async () => {
    const { ama, name } = await delivered()
    const id = one.arrived(name).at(-1)?.json.notification.data
    one.clock.advance(6 * minute)
    // It arrives between the reading and the sending.
    const repo: typeof one.ports.repo = {
      ...one.ports.repo,
      read: async (work) => {
        const found = await one.ports.repo.read(work)
        await one.ask('confirmNotification', { body: { id } })
        return found
      },
    }
    await sendDueNotifications({ ...one.ports, repo })
    expect(smsTo(ama)).toEqual([])
  })

  test('goes once where two server processes work on the same message', async () => {
    const { ama } = await delivered()
    one.clock.advance(6 * minute)
    const takeAgain = () =>
      one.pool().query(`update notifications set due_at = now() - interval '1 day'`)
    const repo: typeof one.ports.repo = {
      ...one.ports.repo,
      read: async (work) => {
        const found = await one.ports.repo.read(work)
        // The lease has ended, as after a long pause of this process.
        await takeAgain()
        await sendDueNotifications(one.ports)
        return found
      },
    }
    await sendDueNotifications({ ...one.ports, repo })
    expect(smsTo(ama)).toHaveLength(1)
  })

  test('six a day to one phone, with many messages at once', async () => {
    const phone = one.newPhone()
    const guests = await Promise.all(
      Array.from({ length: 8 }, () => one.guestDelivery({ senderPhone: phone })),
    )
    for (const { delivery } of guests) await one.drive(delivery, await one.driver(), 'Delivered')
    await one.send()
    one.clock.advance(6 * minute)
    await one.send()
    expect(
      one.sms.filter(({ to, text }) => to === phone && text.includes('/delivery/')),
    ).toHaveLength(6)
  })

  test('goes to nobody for what a stranger asks for: no driver has taken it', async () => {
    const before = one.sms.length
    const phone = one.newPhone()
    for (let i = 0; i < 10; i++) await one.guestDelivery({ senderPhone: phone })
    await one.send()
    one.clock.advance(30 * minute)
    await one.send()
    expect(one.sms.length).toBe(before)
  })
})

describe('R115: nothing is sent that is no longer true', () => {
  test('that an item is brought back, once it was cancelled otherwise', async () => {
    const ama = await one.sender()
    const yaw = await one.driver()
    await one.subscribe(ama, 'back')
    const made = await one.delivery(ama)
    await one.drive(made, yaw, 'Picked Up')
    await one.bringBack(made.ID, yaw)
    const body = { status: 'Cancelled' as const }
    await one.ask('changeStatus', { token: admin.token, id: made.ID, body })
    await one.send()
    expect(one.titles('back')).toEqual(['Documents was cancelled'])
  })

  test('that the recipient needs the code, or is to be called, once it is brought back', async () => {
    const ama = await one.sender()
    const yaw = await one.driver({ name: 'Yaw Boateng' })
    await one.subscribe(ama, 'coming')
    const made = await one.delivery(ama)
    await one.drive(made, yaw, 'Picked Up')
    await one.bringBack(made.ID, yaw)
    await one.send()
    expect(one.titles('coming')).toEqual(['Yaw is bringing Documents back'])
    one.clock.advance(6 * minute)
    const before = one.sms.length
    await one.send()
    expect(one.sms.length).toBe(before)
  })

  test('to a driver who has given the job back: support’s answer to their report', async () => {
    const yaw = await one.driver()
    await one.subscribe(yaw, 'left')
    await one.send()
    const made = await one.delivery(await one.sender())
    await one.drive(made, yaw, 'Accepted')
    const report = {
      deliveryId: made.ID,
      issue: 'No item',
      type: 'driver_issue',
      priority: 'medium',
    }
    const answer = await one.raw('POST', '/disputes', { token: yaw.token, body: report })
    const { dispute } = await answer.json()
    await one.raw('PATCH', `/admin/disputes/${dispute.ID}`, {
      token: admin.token,
      body: { status: 'resolved', resolution: 'Give it back.' },
    })
    await one.ask('releaseJob', { token: yaw.token, id: made.ID, body: { reason: 'No item' } })
    await one.send()
    expect(one.titles('left').filter((title) => title.includes('Support'))).toEqual([])
  })

  test('that it will be approved, with so short a time that it was approved before', async () => {
    const exits = { ...one.ports.options.exits, autoApprove: 3_600 }
    const quick = await startTestServer(one.database, {
      clock: one.clock.now,
      push: one.push,
      options: { ...one.ports.options, exits },
    })
    try {
      const ama = await quick.sender({ phone_number: one.newPhone() })
      await one.subscribe(ama, 'quick')
      const yaw = await one.driver()
      await quick.drive(await quick.delivery(ama), yaw, 'Delivered')
      one.clock.advance(5_000)
      const { settleDueDeliveries } = await import('#server/rules/due-deliveries.ts')
      await settleDueDeliveries(quick.ports)
      await one.send()
      expect(one.titles('quick')).toEqual(['Documents was approved automatically'])
    } finally {
      await quick.close()
    }
  })
})

describe('R117: whose a subscription is', () => {
  const subscribed = async (name: string) => {
    const { rows } = await one
      .pool()
      .query('select 1 from push_subscriptions where endpoint = $1', [
        `${one.service.origin}/${name}`,
      ])
    return rows.length === 1
  }

  test('a guest token is told of its own delivery alone, and ends no other’s subscription', async () => {
    const [mine, other] = [await one.guestDelivery(), await one.guestDelivery()]
    await one.subscribe(mine, 'mine')
    await one.subscribe(other, 'other')
    await one.ask('unsubscribe', { token: mine.token })
    expect([await subscribed('mine'), await subscribed('other')]).toEqual([false, true])
    await one.subscribe(mine, 'mine')
    await one.drive(other.delivery, await one.driver(), 'Accepted')
    await one.send()
    expect(one.titles('mine')).toEqual([])
    expect(one.titles('other')).toHaveLength(1)
  })

  test('the recovery of a guest’s deliveries ends those of the old tokens', async () => {
    const guest = await one.guestDelivery()
    await one.subscribe(guest, 'lost-phone')
    await one.ask('recoverGuest', { body: { guestPhone: guest.phone } })
    const code = one.codeSentTo(guest.phone)
    const body = { guestPhone: guest.phone, code }
    const { value } = await one.ask('confirmGuestRecovery', { body })
    expect(await subscribed('lost-phone')).toBe(false)
    const token = value?.deliveries[0]?.guestToken ?? ''
    await one.subscribe({ token }, 'new-phone')
    await one.drive(guest.delivery, await one.driver(), 'Accepted')
    await one.send()
    expect([one.titles('lost-phone').length, one.titles('new-phone').length]).toEqual([0, 1])
  })

  test('a password reset ends those of every device, and signing a device out its own', async () => {
    const ama = await one.sender()
    await one.subscribe(ama, 'reset-1')
    const again = await one.ask('login', { body: { email: ama.email, password: ama.password } })
    await one.subscribe({ token: again.value?.token ?? '' }, 'reset-2')
    const { value } = await one.ask('sessions', { token: ama.token })
    const device = value?.sessions.find(({ current }) => !current)
    await one.ask('endSession', { token: ama.token, id: device?.id ?? '' })
    expect([await subscribed('reset-1'), await subscribed('reset-2')]).toEqual([true, false])
    await one.ask('requestReset', { body: { phone_number: ama.phone } })
    const code = one.codeSentTo(ama.phone)
    const body = { phone_number: ama.phone, code, new_password: 'another long password' }
    await one.ask('resetPassword', { body })
    expect(await subscribed('reset-1')).toBe(false)
  })

  test('a stranger’s receipt is of no message, and keeps no SMS back', async () => {
    const answer = await one.raw('POST', '/notifications/receipts', {
      body: { id: '019a0000-0000-7000-8000-000000000000' },
    })
    expect(answer.status).toBe(404)
  })
})

test('R117: of a person with very many browsers the 20 newest are told', async () => {
  const ama = await one.sender()
  const tokens = [ama.token]
  for (let i = 0; i < 24; i++) {
    const body = { email: ama.email, password: ama.password }
    tokens.push((await one.ask('login', { body })).value?.token ?? '')
  }
  for (const [i, token] of tokens.entries()) {
    one.clock.advance(10)
    await one.subscribe({ token }, `many-${i}`)
  }
  const made = await one.delivery(ama)
  await one.drive(made, await one.driver(), 'Accepted')
  await one.send()
  const arrived = tokens.map((_, i) => one.titles(`many-${i}`).length)
  expect(arrived).toEqual([...Array(5).fill(0), ...Array(20).fill(1)])
})

test('R118: VAPID keys that cannot be opened are made anew, and the log says so', async () => {
  const settings = { subject: 'mailto:admin@soma.local', services: [] }
  const lines: string[] = []
  const log = {
    info: () => {},
    error: () => {},
    warn: (_: object, text: string) => void lines.push(text),
  }
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
