import { expect, test } from 'vitest'
import { forgetAccount } from '#store/account/forget-account.ts'
import { supportCode } from '#store/queries/outbox/outbox.ts'
import { getState } from '#sync/database/device/state.ts'
import { reportQueue } from '#sync/platform/report-queue.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'

const base = 'http://soma.test/api'

/** A device whose transport records the report of each request. */
function reportingDevice() {
  const { db, commands } = createDevice()
  let now = 1_000_000
  let isUp = true
  const reports: (string | null)[] = []
  const transport = reportQueue(
    async (request) => {
      if (!isUp) throw new TypeError('Failed to fetch')
      reports.push(request.headers.get('x-support'))
      return new Response('{}')
    },
    { db, base, clock: { monotonic: () => now } },
  )
  return {
    db,
    commands,
    reports,
    ask: (url = `${base}/zones`, token?: string) =>
      transport(new Request(url, { headers: token ? { authorization: token } : {} })),
    advance: (by: number) => {
      now += by
    },
    setUp: (up: boolean) => {
      isUp = up
    },
  }
}

test('R92: a request reports code and queue, and again only when the queue has changed or five minutes have passed', async () => {
  const { db, commands, reports, ask, advance } = reportingDevice()
  await db.open()
  const queue = async () => `${await getState(db, 'supportCode')}.${await db.outbox.count()}`
  await ask()
  const empty = await queue()
  expect(empty).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}\.0$/)
  advance(10_000)
  await ask()
  await commands.requestDelivery(await filledDraft(commands), 'guest')
  advance(10_000)
  await ask()
  const filled = await queue()
  expect(filled).not.toBe(empty)
  advance(299_999)
  await ask()
  advance(1)
  await ask()
  expect(reports).toEqual([empty, null, filled, null, filled])
})

test('R92: a login reports anew, once', async () => {
  const { db, reports, ask } = reportingDevice()
  await db.open()
  await ask()
  for (const token of ['one', 'one', 'two', undefined, 'two']) await ask(`${base}/users/me`, token)
  expect(reports.map((report) => report !== null)).toEqual([true, true, false, true, false, false])
})

test('R92: what no answer came for is reported again', async () => {
  const { db, reports, ask, setUp } = reportingDevice()
  await db.open()
  setUp(false)
  await expect(ask()).rejects.toThrow()
  setUp(true)
  await ask()
  await ask()
  expect(reports).toEqual([expect.stringMatching(/\.0$/), null])
})

test('R92: while a queue drains it is counted once a second at most', async () => {
  const { db, commands, reports, ask, advance } = reportingDevice()
  await db.open()
  await ask()
  for (let count = 0; count < 3; count++) {
    await commands.requestDelivery(await filledDraft(commands), 'guest')
    await ask()
  }
  expect(reports.slice(1)).toEqual([null, null, null])
  advance(1_000)
  await ask()
  expect(reports.at(-1)).toBe(`${await getState(db, 'supportCode')}.${await db.outbox.count()}`)
})

test.each(['https://images.example/upload', 'http://soma.test/apis', 'http://soma.test/other'])(
  'R92: %s is not told',
  async (url) => {
    const { db, reports, ask } = reportingDevice()
    await db.open()
    await ask(url)
    expect(reports).toEqual([null])
  },
)

test('R92: a request is made without a report while the database is closed or fails', async () => {
  const { db, reports, ask } = reportingDevice()
  await ask()
  await db.open()
  db.meta.get = () => {
    throw new Error('no disk')
  }
  await ask()
  expect(reports).toEqual([null, null])
})

test('R92: the code is shown in two halves and stays at a logout', async () => {
  const { db, ask } = reportingDevice()
  await db.open()
  expect(await supportCode(db)).toBeNull()
  await signIn(db, person('ama', 'sender'))
  await Promise.all([ask(), ask()])
  const shown = await supportCode(db)
  expect(shown).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
  const account = (await db.sessions.get('current'))?.account ?? ''
  await db.transaction('rw', db.tables, () => forgetAccount(db, account, 'discard'))
  expect(await supportCode(db)).toBe(shown)
})
