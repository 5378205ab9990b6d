import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { diagnostics, logsToConsole } from '#store/queries/outbox/outbox.ts'
import { unsentFile } from '#store/queries/outbox/unsent-file.ts'
import {
  followConsoleFlag,
  forgetUnstored,
  note,
  setConsoleFlag,
  storeDiagnostics,
} from '#sync/database/device/diagnostics.ts'
import { createDevice } from '../../../helpers/device/device.ts'

let device: ReturnType<typeof createDevice>
beforeEach(() => {
  // What other tests of this process have noted.
  forgetUnstored()
  device = createDevice()
})
afterEach(async () => {
  await setConsoleFlag(device.db, false)
  await device.db.delete()
  vi.restoreAllMocks()
})

test('the newest event comes first, with its request and what failed', async () => {
  const { db } = device
  note('GET /api/zones 200', { request: 'one' })
  note('POST /api/deliveries had no response', { request: 'two', error: new TypeError('Failed') })
  await storeDiagnostics(db)
  expect(await diagnostics(db)).toEqual([
    {
      at: expect.any(Number),
      what: 'POST /api/deliveries had no response',
      request: 'two',
      error: 'TypeError: Failed',
    },
    { at: expect.any(Number), what: 'GET /api/zones 200', request: 'one' },
  ])
})

test.each([0, 1, 60, 2_000])(
  'of %i events the last 300 are kept, in their order',
  async (count) => {
    const { db } = device
    for (let at = 0; at < count; at++) {
      note(`event ${at}`)
      if (at % 500 === 0) await storeDiagnostics(db)
    }
    await storeDiagnostics(db)
    const expected = Array.from(
      { length: Math.min(count, 300) },
      (_, at) => `event ${count - 1 - at}`,
    )
    expect((await diagnostics(db)).map(({ what }) => what)).toEqual(expected)
  },
)

test('two tabs that store at once keep the events of both', async () => {
  const { db } = device
  note('of this tab')
  const one = storeDiagnostics(db)
  note('of the other')
  await Promise.all([one, storeDiagnostics(db)])
  const found = (await diagnostics(db)).map(({ what }) => what)
  expect(found.sort()).toEqual(['of the other', 'of this tab'])
})

test('S26: on a full disk nothing is thrown, and what was noted is stored with the next', async () => {
  const { db } = device
  note('first')
  const full = vi
    .spyOn(db.meta, 'put')
    .mockRejectedValueOnce(new DOMException('No room', 'QuotaExceededError'))
  await storeDiagnostics(db)
  expect(full).toHaveBeenCalled()
  note('second')
  await storeDiagnostics(db)
  expect((await diagnostics(db)).map(({ what }) => what)).toEqual(['second', 'first'])
})

test('events are in the exported file', async () => {
  const { db } = device
  note('GET /api/zones 200', { request: 'one' })
  await storeDiagnostics(db)
  const file = JSON.parse(await (await unsentFile(db, Date.now())).text())
  expect(file.diagnostics).toMatchObject([{ what: 'GET /api/zones 200', request: 'one' }])
})

test('events are written to the console only while the person has asked for it', async () => {
  const { db, commands } = device
  const info = vi.spyOn(console, 'info').mockImplementation(() => {})
  note('unheard')
  expect(await logsToConsole(db)).toBe(false)
  await commands.logToConsole(true)
  expect(await logsToConsole(db)).toBe(true)
  note('heard')
  await commands.logToConsole(false)
  note('unheard again')
  expect(info.mock.calls.map(([line]) => line)).toEqual(['[soma] heard'])
  // Another page begins as the person left it.
  await db.meta.put({ key: 'logsToConsole', value: true })
  await followConsoleFlag(db)
  note('heard after a reload')
  expect(info).toHaveBeenCalledTimes(2)
})
