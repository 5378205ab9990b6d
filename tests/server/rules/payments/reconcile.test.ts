import { beforeEach, expect, test } from 'vitest'
import { reconcileTonight, startReconciliation } from '#server/rules/payments/reconcile.ts'
import { paidServerFixture } from '../../../helpers/payments/paid-server.ts'
import { present } from '../../../helpers/present.ts'

const { standIn, ports, repo, clock } = await paidServerFixture()
const provider = present(ports.provider)
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Each test has a day of its own, from its beginning. */
beforeEach(() => clock.advance(day - (clock.now() % day)))

/** How often the payments were compared: the provider was asked for its list of charges. */
const compared = () => standIn.requests.filter((each) => each === 'GET /transaction').length
const tonight = () => reconcileTonight(ports)

test('R180: the payments are compared at the start, once each night, however many processes there are', async () => {
  const end = startReconciliation(ports)
  const today = `payments compared ${new Date(clock.now()).toISOString().slice(0, 10)}`
  await expect.poll(() => repo.read(({ settings }) => settings.get(today))).toBe('done')
  end()
  expect(compared()).toBe(1)
  await Promise.all([tonight(), tonight(), tonight()])
  expect(compared()).toBe(1)
  clock.advance(day)
  await Promise.all([tonight(), tonight(), tonight()])
  expect(compared()).toBe(2)
  clock.advance(2 * hour)
  await tonight()
  expect(compared()).toBe(2)
})

test('R180: a process that cannot compare leaves it to the next', async () => {
  const list = () => Promise.reject(new Error('The provider is down'))
  const before = compared()
  await expect(reconcileTonight({ ...ports, provider: { ...provider, list } })).rejects.toThrow(
    'The provider is down',
  )
  await Promise.all([tonight(), tonight()])
  expect(compared()).toBe(before + 1)
})

test('R180: an hour after a process was cut off another compares', async () => {
  const before = compared()
  await new Promise<void>((begun) => {
    const list = () => {
      begun()
      return new Promise<never>(() => {})
    }
    void reconcileTonight({ ...ports, provider: { ...provider, list } })
  })
  clock.advance(hour - minute)
  await tonight()
  expect(compared()).toBe(before)
  clock.advance(minute)
  await Promise.all(Array.from({ length: 8 }, tonight))
  expect(compared()).toBe(before + 1)
})
