import { afterEach, expect, test, vi } from 'vitest'
import { phoneOfTest } from '../../helpers/device/phone-of-test.ts'

const minute = 60_000

const openPhone = phoneOfTest()
afterEach(() => {
  vi.restoreAllMocks()
})

/** A driver's phone whose lists bring nothing new, and the transactions of its store from now on. */
async function phoneWithoutNews() {
  // Dexie takes the function when the database is opened.
  const opened = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const phone = await openPhone('driver')
  // The server has tagged its answers.
  await phone.db.pulls.toCollection().modify({ etag: '"known"' })
  const unchanged = () => new Response(null, { status: 304 })
  for (const path of Object.values(phone.lists)) phone.answerWith(path, unchanged)
  await phone.time.pass(minute)
  opened.mockClear()
  return { phone, transactions: opened.mock.calls }
}

test('S24: lists that bring nothing new cost at most eight reads of the phone’s store each', async () => {
  const { phone, transactions } = await phoneWithoutNews()
  const { time, requests } = phone
  const before = requests.length
  await time.pass(minute)
  const asked = requests.length - before
  expect(asked).toBeGreaterThan(10)
  const reads = transactions.filter(([, mode]) => mode !== 'readwrite').length
  expect(reads / asked).toBeLessThanOrEqual(8)
})

test('S25: an answer of nothing new locks no rows', async () => {
  const { phone, transactions } = await phoneWithoutNews()
  await phone.time.pass(minute)
  const written = transactions.flatMap(([tables, mode]) =>
    mode === 'readwrite' ? [tables].flat() : [],
  )
  expect(written).toContain('pulls')
  expect(written).not.toContain('deliveries')
})
