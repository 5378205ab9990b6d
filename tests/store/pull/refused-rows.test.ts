import { describe, expect, test } from 'vitest'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as queries from '#store/queries/queries.ts'
import { deliveryAnswer, jobAnswer, ours } from '../../helpers/device/answers.ts'
import { waysToFail } from '../../helpers/device/failures.ts'
import { phoneOfTest } from '../../helpers/device/phone-of-test.ts'

const minute = 60_000
const room = '/deliveries/d1'

const openPhone = phoneOfTest()
const looking = { only: ['me', 'driverStatus', 'jobs', 'available', 'delivery:d1'] }

describe('S49: a row leaves the phone only on the word of our server', () => {
  test('not when it is answered in any other way, twice', async () => {
    const phone = await openPhone('driver', { only: ['me', 'delivery:d1'] })
    const { time, requests } = phone
    const others = Object.entries(waysToFail).filter(([way]) => way !== 'refused by us')
    for (const [way, answer] of others) {
      phone.answerWith(room, answer)
      const from = time.now()
      for (let times = 0; times < 2; times++) {
        void phone.engine.refresh({ kind: 'delivery', id: 'd1' })
        await time.pass(minute / 4)
      }
      const asked = requests.filter(({ path, at }) => path === room && at >= from)
      // A request that hangs is still under way when the list is refreshed again.
      expect([way, asked.length >= (way === 'never answered' ? 1 : 2)]).toEqual([way, true])
      expect([way, await deliveryQueries.deliveryRow(phone.db, 'd1')]).not.toEqual([way, null])
      phone.recover()
      await time.pass(minute / 4)
    }
  })

  test.each([
    [404, 'not-found'],
    [403, 'not-allowed'],
  ])('said twice, some seconds apart: our %i', async (status, reason) => {
    const phone = await openPhone('driver', looking)
    const { time, db, requests } = phone
    phone.answerWith(room, () => ours({ error: 'No', reason }, status))
    const from = time.now()
    await phone.engine.refresh({ kind: 'delivery', id: 'd1' })
    await phone.engine.refresh({ kind: 'delivery', id: 'd1' })
    expect(await deliveryQueries.deliveryRow(db, 'd1')).not.toBeNull()
    expect(requests.filter(({ path, at }) => path === room && at >= from)).toHaveLength(2)
    await time.pass(minute / 2)
    expect(await deliveryQueries.deliveryRow(db, 'd1')).toBeNull()
  })

  test('one refusal between answers is forgotten', async () => {
    const phone = await openPhone('driver', looking)
    const { time, db } = phone
    for (let each = 0; each < 3; each++) {
      phone.answerWith(room, () => ours({ error: 'No', reason: 'not-found' }, 404))
      await phone.engine.refresh({ kind: 'delivery', id: 'd1' })
      phone.recover()
      await time.pass(minute / 4)
    }
    expect(await deliveryQueries.deliveryRow(db, 'd1')).not.toBeNull()
  })

  test('the lists that may hold it are asked for in full, and bring it back if it is there', async () => {
    const phone = await openPhone('driver', looking)
    const { time, db, answers } = phone
    const held = { deliveries: [deliveryAnswer('d1')], cursor: 'c1' }
    const asked: (string | null)[] = []
    phone.answerWith('/driver/my-deliveries', (request) => {
      const since = new URL(request.url).searchParams.get('since')
      asked.push(since)
      return ours(since ? { deliveries: [], removed: [], cursor: 'c1' } : held)
    })
    await time.pass(minute)
    expect(asked.at(-1)).toBe('c1')
    answers[room] = { surprise: true }
    phone.answerWith(room, () => ours({ error: 'No', reason: 'not-found' }, 404))
    asked.length = 0
    const before = time.now()
    while (!asked.includes(null) && time.now() - before < minute) await time.pass(1_000)
    expect(asked).toContain(null)
    expect(await deliveryQueries.deliveryRow(db, 'd1')).not.toBeNull()
  })

  test('a refused entry that the person dismisses has its lists asked for in full', async () => {
    const phone = await openPhone('driver', looking)
    const { time, db } = phone
    const asked: (string | null)[] = []
    phone.answerWith('/driver/my-deliveries', (request) => {
      asked.push(new URL(request.url).searchParams.get('since'))
      return ours({ deliveries: [jobAnswer('d3')], cursor: 'c1' })
    })
    phone.answerWith('/deliveries/d3/status', () =>
      ours({ error: 'No', reason: 'wrong-status' }, 409),
    )
    await time.pass(minute)
    const id = await time.whileBusy(() => phone?.commands.pickUpDelivery('d3') ?? Promise.reject())
    await time.pass(minute)
    expect((await db.outbox.where('id').equals(id).first())?.state).toBe('refused')
    asked.length = 0
    await phone.commands.discard(id)
    await time.pass(1_000)
    expect(asked).toEqual([null])
  })
})

describe('S38: another person’s answers', () => {
  test('a gateway’s 401 ends no session', async () => {
    const phone = await openPhone('driver', looking)
    const { time, db } = phone
    phone.answerWith('/users/me', () => Response.json({ message: 'Unauthorized' }, { status: 401 }))
    phone.answerWith('/driver/status', () =>
      Response.json({ error: 'unauthorized' }, { status: 401 }),
    )
    await time.pass(minute)
    expect(await queries.viewerSession(db)).toMatchObject({ account: 'u1' })
  })
})
