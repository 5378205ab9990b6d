import { beforeEach, describe, expect, test } from 'vitest'
import {
  notificationSettings,
  notificationState,
} from '#store/queries/account/notification-state.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { untilIdle } from '../../helpers/device/until-idle.ts'
import { pushService } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, startedPhone, phoneOf } = serverOfFile()

/** A browser that subscribes where its person allows it. */
function browserOf(name: string) {
  return {
    address: `${pushService}/${name}`,
    isAllowed: true,
    /** Its push service does not answer. */
    isBroken: false,
    isSubscribed: false,
    tries: 0,
    async subscribe() {
      this.tries++
      if (!this.isAllowed) return undefined
      if (this.isBroken) throw new DOMException('Registration failed', 'AbortError')
      this.isSubscribed = true
      return { endpoint: this.address, keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } }
    },
    async unsubscribe() {
      this.isSubscribed = false
    },
  }
}

let count = 0
let browser: ReturnType<typeof browserOf>
beforeEach(() => {
  browser = browserOf(`browser-${++count}`)
})

/** The addresses that the server sends this account's messages to. */
async function known(endpoint: string): Promise<number> {
  const { rows } = await server()
    .pool()
    .query('select 1 from push_subscriptions where endpoint = $1', [endpoint])
  return rows.length
}

async function loggedIn(): Promise<Phone> {
  const ama = await server().sender()
  const phone = await phoneOf(ama, { pushSubscriber: browser })
  return phone
}

describe('S61: the server knows what was chosen on this phone', () => {
  test('nothing before the person chose, then on, off, and on again, also with a new address', async () => {
    const phone = await loggedIn()
    expect(await notificationState(phone.db)).toMatchObject({ isOffered: true, isReported: false })
    expect(await known(browser.address)).toBe(0)
    await phone.commands.chooseNotifications('on')
    await expect.poll(() => known(browser.address)).toBe(1)
    await expect.poll(async () => (await notificationState(phone.db)).isReported).toBe(true)
    await phone.commands.chooseNotifications('off')
    await expect.poll(() => known(browser.address)).toBe(0)
    await expect.poll(() => browser.isSubscribed).toBe(false)
    await phone.commands.chooseNotifications('on')
    await expect.poll(() => known(browser.address)).toBe(1)
    // The browser has a new address when the app is opened again.
    const before = browser.address
    browser.address += '-new'
    phone.resume()
    await expect.poll(() => known(browser.address)).toBe(1)
    expect(await known(before)).toBe(0)
  })

  test('chosen offline, it is reported once there is a network', async () => {
    const phone = await loggedIn()
    network().cut()
    await phone.commands.chooseNotifications('on')
    await untilIdle(network())
    expect((await notificationState(phone.db)).isReported).toBe(false)
    network().restore()
    phone.resume()
    await expect.poll(() => known(browser.address)).toBe(1)
  })

  test('a guest is told of each delivery of this phone, by its own token', async () => {
    const phone = await startedPhone({ pushSubscriber: browser })
    const guest = async () => {
      await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
      await phone.settle()
    }
    await guest()
    await phone.commands.chooseNotifications('on')
    await expect.poll(() => known(browser.address)).toBe(1)
    await guest()
    await expect.poll(() => known(browser.address)).toBe(2)
  })

  test('without the browser’s permission nothing is subscribed, and nothing is said to be on', async () => {
    const phone = await loggedIn()
    browser.isAllowed = false
    await phone.commands.chooseNotifications('on')
    phone.resume()
    await untilIdle(network())
    expect((await notificationState(phone.db)).isReported).toBe(false)
    expect(await known(browser.address)).toBe(0)
  })

  test('a browser whose push service does not answer: the screens can say so, and it is tried again', async () => {
    const phone = await loggedIn()
    browser.isBroken = true
    await phone.commands.chooseNotifications('on')
    const state = () => notificationState(phone.db)
    await expect.poll(state).toMatchObject({ problem: 'browser', isReported: false })
    // The note itself wakes nobody for ever.
    await untilIdle(network())
    expect(browser.tries).toBeLessThan(5)
    browser.isBroken = false
    phone.resume()
    await expect.poll(state).toMatchObject({ problem: undefined, isReported: true })
    expect(await known(browser.address)).toBe(1)
  })

  test('a push service to which the server sends nothing: the screens can say so, and it is not asked again', async () => {
    const phone = await loggedIn()
    browser.address = 'https://push.elsewhere.example/1'
    await phone.commands.chooseNotifications('on')
    const state = () => notificationState(phone.db)
    await expect.poll(state).toMatchObject({ problem: 'refused' })
    await phone.commands.chooseNotifications('off')
    await expect.poll(state).toMatchObject({ problem: undefined, isReported: false })
  })

  test('what an earlier login has reported says nothing of this one', async () => {
    const phone = await loggedIn()
    await phone.commands.chooseNotifications('on')
    await expect.poll(async () => (await notificationState(phone.db)).isReported).toBe(true)
    network().cut()
    await phone.db.sessions.update('current', { token: `u_${'x'.repeat(43)}` })
    expect(await notificationState(phone.db)).toMatchObject({ choice: 'on', isReported: false })
    network().restore()
  })

  test('a logout without a network ends it in the browser at once', async () => {
    const phone = await loggedIn()
    await phone.commands.chooseNotifications('on')
    await expect.poll(() => known(browser.address)).toBe(1)
    network().cut()
    await phone.session.logout('keep')
    await expect.poll(() => browser.isSubscribed).toBe(false)
    network().restore()
  })

  test('a logout ends it on the server, and the next person on this phone is asked anew', async () => {
    const phone = await loggedIn()
    await phone.commands.chooseNotifications('on')
    await expect.poll(() => known(browser.address)).toBe(1)
    await phone.session.logout('keep')
    await expect.poll(() => known(browser.address)).toBe(0)
    expect((await notificationState(phone.db)).choice).toBeUndefined()
  })
})

describe('R121: settings', () => {
  test('offline they show at once as not sent, arrive in order, and never fall back in between', async () => {
    const phone = await loggedIn()
    const seen: string[] = []
    network().cut()
    await phone.commands.changeNotifications({ kinds: { accepted: false } })
    await phone.commands.changeNotifications({ kinds: { delivered: false } })
    await phone.commands.changeNotifications({ kinds: { accepted: true } })
    expect(await notificationSettings(phone.db)).toEqual({
      settings: { off: ['delivered'] },
      isWaiting: true,
    })
    network().restore()
    const looking = setInterval(
      () =>
        void notificationSettings(phone.db).then(
          ({ settings }) => seen.push(`${settings.off}`),
          () => {},
        ),
      1,
    )
    await phone.settle()
    clearInterval(looking)
    expect(await notificationSettings(phone.db)).toEqual({
      settings: { off: ['delivered'] },
      isWaiting: false,
    })
    expect(new Set(seen)).toEqual(new Set(['delivered']))
  })

  test('two changes of one list or of the hours, made at once, are both kept', async () => {
    const phone = await loggedIn()
    const { commands } = phone
    network().cut()
    const add = (from: string) =>
      commands.changeNotifications(({ routes = [] }) => ({
        routes: [...routes, { from, to: '*' }],
      }))
    const setHour = (side: 'from' | 'to') =>
      commands.changeNotifications(({ quiet = { from: 21, to: 6 } }) => ({
        quiet: { ...quiet, [side]: 0 },
      }))
    await Promise.all([add('Osu'), setHour('from'), add('Tema'), setHour('to')])
    expect((await notificationSettings(phone.db)).settings).toMatchObject({
      routes: [
        { from: 'Osu', to: '*' },
        { from: 'Tema', to: '*' },
      ],
      quiet: { from: 0, to: 0 },
    })
    network().restore()
  })
})
