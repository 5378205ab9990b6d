import { describe, expect, test } from 'vitest'
import { ours } from '../../helpers/device/answers.ts'
import { phoneOfTest, type SimulatedPhone } from '../../helpers/device/phone-of-test.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const openPhone = phoneOfTest()

/** How far the device's clock is off, milliseconds; one a minute. */
const skews = [365 * day, 0, -hour, -2 * hour, -30 * day]

describe('S46: the device’s clock, a year ahead for one minute and then set back again and again', () => {
  async function fiveMinutes(of: SimulatedPhone) {
    for (const skew of skews) {
      of.device.skew = skew
      await of.time.pass(minute)
    }
  }

  test('lists are asked for as if nothing had happened, one that the server asked to leave alone when it said, and a logout is tried again', async () => {
    const phone = await openPhone('driver', { only: ['me', 'sessions', 'delivery:d1'] })
    const { time, requests } = phone
    phone.answerWith('/sessions', () => {
      const answer = ours({ error: 'Busy', reason: 'unavailable' }, 503)
      answer.headers.set('retry-after', '120')
      return answer
    })
    phone.answerWith('/logout', () => Promise.reject(new TypeError('Failed to fetch')))
    await phone.db.revocations.add({ token: 'old', at: 0, attempts: 0, nextAt: 0 })
    await phone.engine.refresh({ kind: 'sessions' })
    await phone.engine.revoke()
    const from = time.now()
    await fiveMinutes(phone)
    const counts = phone.countsSince(from)
    expect(counts['/deliveries/d1']).toBeGreaterThanOrEqual(28)
    expect(counts['/deliveries/d1']).toBeLessThanOrEqual(31)
    expect(counts['/users/me']).toBeGreaterThanOrEqual(9)
    expect(counts['/users/me']).toBeLessThanOrEqual(11)
    const asked = requests.filter(({ path, at }) => path === '/sessions' && at > from)
    expect(asked.map(({ at }) => Math.round((at - from) / minute))).toEqual([2, 4])
    expect(counts['/logout']).toBeGreaterThanOrEqual(4)
    expect(counts['/logout']).toBeLessThanOrEqual(30)
    phone.recover()
    phone.answers['/logout'] = { message: 'Bye' }
    await time.pass(5 * minute)
    expect(await phone.db.revocations.count()).toBe(0)
  })
})

describe('S46: a time that was stored under another clock', () => {
  test.each([
    ['than its own wait, which is stored', { wait: 60_000, held: true }, minute],
    ['than any wait, where that is not', {}, 5 * minute],
  ])('holds up no logout longer %s', async (_, more, most) => {
    const phone = await openPhone('driver', { only: ['me'] })
    phone.answers['/logout'] = { message: 'Bye' }
    const nextAt = phone.time.now() + 365 * day
    await phone.db.revocations.add({ token: 'old', at: nextAt, attempts: 3, nextAt, ...more })
    await phone.engine.runRound()
    await phone.time.pass(most + 1_000)
    expect(await phone.db.revocations.count()).toBe(0)
  })

  test('no logout is given up, however old it is by the device’s clock', async () => {
    const phone = await openPhone('driver', { only: ['me'] })
    phone.answerWith('/logout', () => Promise.reject(new TypeError('Failed to fetch')))
    phone.device.skew = 400 * day
    await phone.db.revocations.add({ token: 'old', at: phone.time.now(), attempts: 3, nextAt: 0 })
    await phone.engine.revoke()
    await phone.time.pass(minute)
    expect(await phone.db.revocations.count()).toBe(1)
  })

  test.each([
    ['a year ahead', 365 * day],
    ['an hour ago', -hour],
  ])('keeps no event stream trusted: %s', async (_, off) => {
    const stored = { account: 'u1', open: true, last: 0, changes: [] }
    const phone = await openPhone('driver', {
      only: ['delivery:d1'],
      prepare: (db, now) => db.meta.put({ key: 'stream', value: { ...stored, at: now + off } }),
    })
    const from = phone.time.now()
    await phone.time.pass(2 * minute)
    expect(phone.countsSince(from)['/deliveries/d1']).toBeGreaterThanOrEqual(4)
  })
})
