import { describe, expect, test } from 'vitest'
import * as queries from '#store/queries/queries.ts'
import { deliveryAnswer, ours } from '../../helpers/device/answers.ts'
import { waysToFail } from '../../helpers/device/failures.ts'
import { phoneOfTest } from '../../helpers/device/phone-of-test.ts'
import {
  everyList,
  expectAllBack,
  expectFewRequests,
  expectOthersUnharmed,
} from './failing-lists.ts'

const minute = 60_000
const ways = Object.keys(waysToFail)

const openPhone = phoneOfTest()

/** Every fifth list, each in another way; the slow tier has all lists and all ways. */
const someLists = everyList
  .map((each, at) => ({ ...each, way: ways[at % ways.length] ?? '' }))
  .filter((_, at) => at % 5 === 0)

describe('S45: a list that fails', () => {
  test.each(someLists)('alone, as $list of a $viewer, $way: a minute of it', (about) =>
    expectOthersUnharmed(openPhone, about),
  )

  test('for an hour: 40 requests at most', () =>
    expectFewRequests(openPhone, { path: '/deliveries/d1', way: 'cut off' }))
})

describe('S47: whether the server is there is judged over all lists', () => {
  test.each(['answered by a portal’s page', 'failed with 500'])(
    'every list %s: each asks seldom, and all are back within 10 s',
    (way) => expectAllBack(openPhone, way),
  )

  const phoneWithChange = async () => {
    const phone = await openPhone('driver', { only: ['me', 'zones', 'delivery:d1'] })
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
    const phone = await openPhone('guest')
    let asked = 0
    phone.answerWith('/deliveries/d1', () => {
      if (asked++ % 3 > 0) throw new TypeError('Failed to fetch')
      return ours({ delivery: deliveryAnswer('d1') })
    })
    phone.answerWith('/zones', waysToFail['cut off'] ?? Response.error)
    const from = phone.time.now()
    await phone.engine.wake()
    await phone.time.pass(10 * minute)
    expect(phone.countsSince(from)['/zones']).toBeLessThanOrEqual(20)
  })
})
