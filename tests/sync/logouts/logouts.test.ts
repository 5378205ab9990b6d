import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteUpdateRequired } from '#sync/database/device/update.ts'
import { createLogouts } from '#sync/logouts/logouts.ts'
import { queueRevocation } from '#sync/logouts/revocations.ts'
import { createDevice } from '../../helpers/device/device.ts'
import { createClock } from '../../helpers/device/phone.ts'

const revokeTokens = vi.fn<(context: unknown, now?: boolean) => Promise<number | undefined>>()
const wakeWorker = vi.fn()
const setTimeout = vi.fn<(work: () => void, delay: number) => number>(() => 1)
const isStopped = vi.fn(() => false)

let db: ReturnType<typeof createDevice>['db']
beforeEach(() => {
  db = createDevice().db
  for (const mock of [revokeTokens, wakeWorker, setTimeout]) mock.mockClear()
  isStopped.mockReturnValue(false)
  revokeTokens.mockResolvedValue(undefined)
})
afterEach(() => db.close())

const logouts = () =>
  createLogouts({
    context: { db, clock: { ...createClock(1_000_000), setTimeout } } as never,
    environment: { wakeWorker } as never,
    loadLazy: async () => ({ revokeTokens }) as never,
    isStopped,
  })

test('S39: what does not get through is tried again when it is due, by the worker with the app closed', async () => {
  await queueRevocation(db, 'token', 1)
  revokeTokens.mockResolvedValueOnce(1_060_000)
  await logouts().send()
  expect(wakeWorker).toHaveBeenCalledTimes(1)
  expect(setTimeout.mock.calls[0]?.[1]).toBe(60_000)
  setTimeout.mock.calls[0]?.[0]()
  await expect.poll(() => revokeTokens).toHaveBeenCalledTimes(2)
})

test('S70: a server that takes only newer apps gets the logout too', async () => {
  await queueRevocation(db, 'token', 1)
  await noteUpdateRequired(db, 'config')
  await logouts().send()
  expect(revokeTokens).toHaveBeenCalledTimes(1)
})

test('S39: asked twice at a time it sends once, and a fault rejects nothing', async () => {
  await queueRevocation(db, 'token', 1)
  revokeTokens.mockRejectedValueOnce(new Error('The disk is full'))
  const { send, stop } = logouts()
  await Promise.all([send(), send(true)])
  expect(revokeTokens).toHaveBeenCalledTimes(1)
  await send(true)
  expect(revokeTokens.mock.calls[1]?.[1]).toBe(true)
  await stop()
})
