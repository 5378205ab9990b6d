import { afterEach, expect, test, vi } from 'vitest'
import { deliveriesUnderWay } from '#store/queries/under-way.ts'
import { deliveryAnswer, ours } from '../../helpers/device/answers.ts'
import { type Costs, countCosts } from '../../helpers/device/costs.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { phoneOfTest } from '../../helpers/device/phone-of-test.ts'

/*
 * What the engine's work asks of the phone's database, counted: a count is the same on every machine. A change that
 * makes one grow has to say what that buys.
 */

const minute = 60_000

const openPhone = phoneOfTest()
afterEach(() => {
  vi.restoreAllMocks()
})

/** A phone whose lists have been pulled, what its database is asked from now on, and a request to make. */
async function measured(viewer: 'driver' | 'guest') {
  const costs = countCosts()
  const phone = await openPhone(viewer)
  const { time, commands, db } = phone
  const draft = await filledDraft(commands)
  await db.photos.update(draft.photo ?? '', { url: 'http://soma.test/photo.jpg' })
  phone.answerWith('/guest/deliveries', async (request) => {
    const { itemDescription, id } = (await request.clone().json()) as Record<string, string>
    return ours({ delivery: deliveryAnswer(id ?? '', { itemDescription }), guestToken: 'g_1' }, 201)
  })
  const ask = () => commands.requestDelivery(draft, 'guest')
  // The modules of the first request are loaded by it.
  await ask()
  await time.pass(minute)
  costs()
  return { phone, time, db, costs, ask }
}

const asked = (...all: number[]): Costs => {
  const [reading = 0, writing = 0, requests = 0, rowsRead = 0, rowsWritten = 0] = all
  return { reading, writing, requests, rowsRead, rowsWritten }
}
const unchanged = () => new Response(null, { status: 304 })
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => deliveryAnswer(`d${String(at).padStart(5, '0')}`))

test('one request is queued and sent, and 100 are queued in one moment', async () => {
  const { costs, time, db, ask } = await measured('guest')
  await ask()
  expect(costs()).toEqual(asked(1, 1, 8, 1, 4))
  await time.pass(1)
  expect(await db.outbox.where('state').equals('done').count()).toBe(2)
  expect(costs()).toEqual(asked(27, 4, 87, 48, 14))
  costs()
  await Promise.all(Array.from({ length: 100 }, ask))
  expect(costs()).toEqual(asked(1, 1, 404, 1, 400))
})

test('a wake-up finds nothing to do, a list brings nothing new, and then 1,000 rows', async () => {
  const { costs, time, phone } = await measured('driver')
  await phone.engine.runRound()
  expect(costs()).toEqual(asked(6, 0, 14, 6, 0))
  await phone.db.pulls.toCollection().modify({ etag: '"known"' })
  phone.answerWith('/sender/deliveries', unchanged)
  costs()
  await phone.engine.refresh({ kind: 'sent' })
  expect(costs()).toEqual(asked(8, 2, 26, 13, 3))
  phone.answerWith('/sender/deliveries', () => ours({ deliveries: rowsOf(1_000), cursor: '1' }))
  await phone.engine.refresh({ kind: 'sent' })
  await time.pass(1)
  expect(await phone.db.deliveries.count()).toBeGreaterThan(1_000)
  expect(costs()).toEqual(asked(10, 3, 1036, 17, 1004))
})

test('what needs the person is counted without reading every active row', async () => {
  const { costs, phone } = await measured('driver')
  const row = { account: 'u1', marks: [], active: 'delivery' }
  await phone.db.deliveries.bulkPut(
    rowsOf(100).map((view) => ({ ...row, ID: view.ID, view }) as never),
  )
  costs()
  await deliveriesUnderWay(phone.db)
  expect(costs()).toEqual(asked(2, 0, 11, 26, 0))
})
