import { expect, test } from 'vitest'
import { putState } from '#sync/database/device/state.ts'
import { phoneOfTest } from '../../helpers/device/phone-of-test.ts'

const openPhone = phoneOfTest()

const minute = 60_000
const jobs = '/driver/my-deliveries'

/** How often jobs are asked for in a minute, with the event stream of `account` stored as open. */
async function askedWith(account: string) {
  const phone = await openPhone('driver', { only: ['jobs', 'zones'] })
  const { time, db, countsSince } = phone
  await time.pass(minute)
  const about = { open: true, at: time.now(), last: 1, changes: [{ about: 'zones' }] }
  await putState(db, 'stream', { account, ...about })
  await time.pass(1_000)
  const from = time.now()
  await time.pass(minute)
  const quiet = countsSince(from)[jobs] ?? 0
  const changed = time.now()
  await putState(db, 'stream', {
    account,
    ...about,
    last: 3,
    at: time.now(),
    changes: [{ about: 'all' }, { about: 'all' }],
  })
  await time.pass(2_000)
  return { quiet, hurried: countsSince(changed)['/zones'] ?? 0 }
}

test('S21, S59: the stream of whoever is logged in spares their lists, and its changes are asked for', async () => {
  expect(await askedWith('u1')).toEqual({ quiet: 0, hurried: 1 })
})

test('S21, S59: the stream of another account spares no list, and its changes lead to no request', async () => {
  const { quiet, hurried } = await askedWith('u9')
  expect(quiet).toBeGreaterThanOrEqual(3)
  expect(hurried).toBe(0)
})

/** A driver's phone whose stream is stored as open, an event having come this moment. */
async function withOpenStream() {
  // Lists that the stream covers alone: no other begins a round.
  const phone = await openPhone('driver', { only: ['jobs', 'zones'] })
  const { time, db, countsSince } = phone
  await time.pass(minute)
  const stream = { account: 'u1', last: 1, changes: [{ about: 'zones' }] }
  const put = (how: 'heard' | 'ended') =>
    putState(db, 'stream', {
      ...stream,
      open: how === 'heard',
      at: how === 'heard' ? time.now() : 0,
    } as never)
  await put('heard')
  await time.pass(1_000)
  const askedIn = async (ms: number) => {
    const from = time.now()
    await time.pass(ms)
    return countsSince(from)[jobs] ?? 0
  }
  return { askedIn, put }
}

test('S21: when a stream ends, or has been silent for longer than 70 s, its lists are asked for', async () => {
  const { askedIn, put } = await withOpenStream()
  expect(await askedIn(minute)).toBe(0)
  await askedIn(15_000)
  expect(await askedIn(minute)).toBeGreaterThan(0)
  await put('heard')
  await askedIn(1_000)
  expect(await askedIn(minute / 2)).toBe(0)
  await put('ended')
  expect(await askedIn(1_000)).toBe(1)
})
