import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as queries from '#store/queries/queries.ts'
import { loadLazy } from '#sync/load-lazy.ts'
import { deliveryAnswer, ours } from '../../helpers/device/answers.ts'
import { waysToFail } from '../../helpers/device/failures.ts'
import { createSimulatedPhone, viewers } from '../../helpers/device/simulated-phone.ts'

const minute = 60_000
const hour = 60 * minute
const names = Object.keys(waysToFail)

// Loaded before time stands still, as by a page that has been open for a while.
beforeAll(async () => {
  await loadLazy()
})

/** Every list of every kind of viewer. */
const everyList = Object.entries(viewers).flatMap(([viewer, { lists }]) =>
  Object.entries(lists).map(([list, path]) => ({ viewer, list, path })),
)

let phone: Awaited<ReturnType<typeof createSimulatedPhone>> | undefined
afterEach(async () => {
  await phone?.end()
  phone = undefined
})

/** A phone on which one list has just begun to fail, and the person has come back to it. */
async function failingPhone(viewer: string, path: string, way: string) {
  phone = await createSimulatedPhone(viewer)
  phone.answerWith(path, waysToFail[way] ?? Response.error)
  void phone.engine.wake()
  return { phone, from: phone.time.now() }
}

describe('S45: a list that fails', () => {
  describe.each(names)('%s', (way) => {
    test.each(everyList)(
      'alone, as $list of a $viewer: a minute of it',
      async ({ viewer, path }) => {
        const { phone, from } = await failingPhone(viewer, path, way)
        await phone.time.pass(minute)
        const counts = phone.countsSince(from)
        expect(counts[path]).toBeGreaterThanOrEqual(2)
        expect(counts[path]).toBeLessThanOrEqual(12)
        for (const [list, other] of Object.entries(phone.lists)) {
          if (other === path) continue
          // What is asked for every 10 s by itself, or every 30 s, still is.
          const isHourly = ['zones', 'items', 'config'].includes(list)
          const isOften = /^(sent|jobs|available|delivery:)/.test(list)
          expect([list, counts[other]]).toEqual([
            list,
            isHourly ? 1 : isOften ? 7 : expect.toBeOneOf([2, 3]),
          ])
        }
        expect((await queries.syncStatus(phone.db)).reachable).toBe(true)
        const ended = phone.time.now()
        phone.recover()
        await phone.time.pass(10_000)
        expect(phone.countsSince(ended)[path] ?? 0).toBeGreaterThanOrEqual(1)
      },
    )

    // A guest's few lists make an hour short.
    const hourly = ['/deliveries/d1', '/zones', '/config'][names.indexOf(way) % 3] ?? ''
    test(`for an hour, at ${hourly}: 40 requests at most`, async () => {
      const { phone, from } = await failingPhone('guest', hourly, way)
      await phone.time.pass(hour)
      expect(phone.countsSince(from)[hourly]).toBeLessThanOrEqual(40)
      expect(phone.countsSince(from)[hourly]).toBeGreaterThanOrEqual(10)
    })
  })
})

describe('S47: whether the server is there is judged over all lists', () => {
  test.each(names)('every list %s: each asks seldom, and all are back within 10 s', async (way) => {
    phone = await createSimulatedPhone('driver')
    const paths = Object.values(phone.lists)
    for (const path of paths) phone.answerWith(path, waysToFail[way] ?? Response.error)
    const from = phone.time.now()
    void phone.engine.wake()
    await phone.time.pass(minute)
    const counts = phone.countsSince(from)
    for (const path of paths) expect([path, counts[path] ?? 0]).toEqual([path, atMost(12)])
    const isSilent = /^(cut|never|answered by a portal|redirected)/.test(way)
    expect((await queries.syncStatus(phone.db)).reachable).toBe(!isSilent)
    phone.recover()
    await phone.time.pass(10_000)
    expect((await queries.syncStatus(phone.db)).reachable).toBe(true)
    const back = phone.countsSince(from + minute)
    for (const path of paths) expect([path, back[path] ?? 0]).toEqual([path, atLeast(1)])
  })

  const phoneWithChange = async () => {
    phone = await createSimulatedPhone('driver')
    const { time, commands, answerWith, lists } = phone
    await time.pass(minute)
    const writes = ['/batch', '/users/me/phone']
    for (const path of writes) answerWith(path, waysToFail['cut off'] ?? Response.error)
    const cutLists = () => {
      for (const path of Object.values(lists))
        answerWith(path, waysToFail['cut off'] ?? Response.error)
    }
    return { phone, cutLists, change: () => commands.changePhone('0244000009') }
  }

  test('what is sent just after an answer and has none itself says “Offline” within 5 s', async () => {
    const { phone, cutLists, change } = await phoneWithChange()
    await phone.engine.wake()
    cutLists()
    await change()
    await phone.time.pass(5_000)
    expect(await queries.outboxSummary(phone.db)).toMatchObject({ unsent: 1 })
    expect((await queries.syncStatus(phone.db)).reachable).toBe(false)
  })

  test('what is sent has no answer, but a list has: it is not said to be “Offline”', async () => {
    const { phone, change } = await phoneWithChange()
    await change()
    for (let second = 0; second < 30; second++) {
      await phone.time.pass(1_000)
      expect((await queries.syncStatus(phone.db)).reachable).toBe(true)
    }
    expect(await queries.outboxSummary(phone.db)).toMatchObject({ unsent: 1 })
  })

  test('one list that is answered now and then does not wake another that fails again and again', async () => {
    phone = await createSimulatedPhone('guest')
    let asked = 0
    phone.answerWith('/deliveries/d1', () => {
      if (asked++ % 3 > 0) throw new TypeError('Failed to fetch')
      return ours({ delivery: deliveryAnswer('d1') })
    })
    phone.answerWith('/zones', waysToFail['cut off'] ?? Response.error)
    const from = phone.time.now()
    await phone.engine.wake()
    await phone.time.pass(hour)
    expect(phone.countsSince(from)['/zones']).toBeLessThanOrEqual(60)
  })
})

const atMost = (most: number) => expect.toSatisfy((count: number) => count <= most)
const atLeast = (least: number) => expect.toSatisfy((count: number) => count >= least)
