import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { putState } from '#sync/database/device/state.ts'
import { noteMinimumBuild, noteUpdateRequired } from '#sync/database/device/update.ts'
import { followDevice, persistOnce } from '#sync/engine/follow-device.ts'
import { pullInFull } from '#sync/lists/full-pulls.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'
import { untilIdle } from '../../helpers/device/until-idle.ts'

const listeners = {
  onQueued: vi.fn(),
  onLogin: vi.fn(),
  onUpdateRequired: vi.fn(),
  onUpdated: vi.fn(),
  onPullInFull: vi.fn(),
}

let device: ReturnType<typeof createDevice>
let stops: (() => void)[] = []
beforeEach(async () => {
  device = createDevice()
  await device.db.open()
})
afterEach(() => {
  for (const stop of stops) stop()
  for (const listener of Object.values(listeners)) listener.mockReset()
})

const follow = () => {
  stops = followDevice(device.db, listeners)
}
test('S24: a login, another and a logout are told once each; what else is written of it is not', async () => {
  const { db } = device
  follow()
  await expect.poll(() => listeners.onLogin).toHaveBeenCalledTimes(1)
  await signIn(db, person('kofi', 'driver'))
  await expect.poll(() => listeners.onLogin).toHaveBeenCalledTimes(2)
  await signIn(db, person('kofi', 'driver', { name: 'Kofi Mensah' }))
  await untilIdle()
  expect(listeners.onLogin).toHaveBeenCalledTimes(2)
  await signIn(db, person('ama', 'sender'))
  await expect.poll(() => listeners.onLogin).toHaveBeenCalledTimes(3)
  await db.sessions.clear()
  await expect.poll(() => listeners.onLogin).toHaveBeenCalledTimes(4)
})

test('S9: what is queued is told, an empty queue is not', async () => {
  follow()
  await untilIdle()
  expect(listeners.onQueued).not.toHaveBeenCalled()
  await device.commands.requestDelivery(await filledDraft(device.commands), 'guest')
  await expect.poll(() => listeners.onQueued).toHaveBeenCalled()
})

test('S48: an update that is required is told once, and once when it is no longer', async () => {
  const { db } = device
  follow()
  await untilIdle()
  expect(listeners.onUpdated).not.toHaveBeenCalled()
  expect(listeners.onUpdateRequired).not.toHaveBeenCalled()
  await noteUpdateRequired(db, 'config')
  await expect.poll(() => listeners.onUpdateRequired).toHaveBeenCalledTimes(1)
  await putState(db, 'reachable', true)
  await untilIdle()
  expect(listeners.onUpdateRequired).toHaveBeenCalledTimes(1)
  expect(listeners.onUpdated).not.toHaveBeenCalled()
  await noteMinimumBuild(db, 1)
  await expect.poll(() => listeners.onUpdated).toHaveBeenCalledTimes(1)
})

test('S49: lists whose cursors are forgotten are told, but not those of before this page', async () => {
  const { db } = device
  const pulled = { account: 'kofi', list: 'jobs', at: 1, cursor: 'c' }
  await db.pulls.put(pulled)
  await pullInFull(db, 'kofi', ['jobs'])
  follow()
  await untilIdle()
  expect(listeners.onPullInFull).not.toHaveBeenCalled()
  await pullInFull(db, 'kofi', ['jobs'])
  await expect.poll(() => listeners.onPullInFull.mock.calls).toEqual([[['jobs']]])
  await pullInFull(db, 'kofi', ['sent'])
  await untilIdle()
  expect(listeners.onPullInFull).toHaveBeenCalledTimes(1)
})

test('S31: the browser is asked to keep the data once, when there is something only this phone has', async () => {
  const { db, commands } = device
  const persistStorage = vi.fn()
  const model = { hasUnsynced: async () => (await db.outbox.count()) > 0 }
  stops = [persistOnce(db, model as never, { persistStorage } as never)]
  await untilIdle()
  expect(persistStorage).not.toHaveBeenCalled()
  await commands.requestDelivery(await filledDraft(commands), 'guest')
  await expect.poll(() => persistStorage).toHaveBeenCalledTimes(1)
  await commands.requestDelivery(await filledDraft(commands), 'guest')
  await untilIdle()
  expect(persistStorage).toHaveBeenCalledTimes(1)
})
