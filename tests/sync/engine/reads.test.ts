import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { loadLazy } from '#sync/load-lazy.ts'
import { createSimulatedPhone } from '../../helpers/device/simulated-phone.ts'

const minute = 60_000

// Loaded before time stands still, as by a page that has been open for a while.
beforeAll(async () => {
  await loadLazy()
})

let phone: Awaited<ReturnType<typeof createSimulatedPhone>> | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  await phone?.end()
  phone = undefined
})

/** A driver's phone whose lists bring nothing new, and the transactions of its store from now on. */
async function phoneWithoutNews() {
  // Dexie takes the function when the database is opened.
  const opened = vi.spyOn(IDBDatabase.prototype, 'transaction')
  phone = await createSimulatedPhone('driver')
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
