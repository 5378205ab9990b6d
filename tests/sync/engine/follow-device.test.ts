import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { putState } from '#store/database/device/state.ts'
import { noteMinimumBuild, noteUpdateRequired } from '#store/database/device/update.ts'
import { pullInFull } from '#store/database/pulls/full-pulls.ts'
import { followDevice, persistOnce } from '#sync/engine/follow-device.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'

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
  device.db.close()
})

const follow = () => {
  stops = followDevice(device.db, listeners)
}
/** Live queries answer some time after a change. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 50))

test('S24: a login, another and a logout are told once each; what else is written of it is not', async () => {
  const { db } = device
  follow()
  await vi.waitFor(() => expect(listeners.onLogin).toHaveBeenCalledTimes(1))
  await signIn(db, person('kofi', 'driver'))
  await vi.waitFor(() => expect(listeners.onLogin).toHaveBeenCalledTimes(2))
  await signIn(db, person('kofi', 'driver', { name: 'Kofi Mensah' }))
  await settled()
  expect(listeners.onLogin).toHaveBeenCalledTimes(2)
  await signIn(db, person('ama', 'sender'))
  await vi.waitFor(() => expect(listeners.onLogin).toHaveBeenCalledTimes(3))
  await db.sessions.clear()
  await vi.waitFor(() => expect(listeners.onLogin).toHaveBeenCalledTimes(4))
})

test('S9: what is queued is told, an empty queue is not', async () => {
  follow()
  await settled()
  expect(listeners.onQueued).not.toHaveBeenCalled()
  await device.commands.requestDelivery(await filledDraft(device.commands), 'guest')
  await vi.waitFor(() => expect(listeners.onQueued).toHaveBeenCalled())
})

test('S48: an update that is required is told once, and once when it is no longer', async () => {
  const { db } = device
  follow()
  await settled()
  expect(listeners.onUpdated).not.toHaveBeenCalled()
  expect(listeners.onUpdateRequired).not.toHaveBeenCalled()
  await noteUpdateRequired(db, 'config')
  await vi.waitFor(() => expect(listeners.onUpdateRequired).toHaveBeenCalledTimes(1))
  await putState(db, 'reachable', true)
  await settled()
  expect(listeners.onUpdateRequired).toHaveBeenCalledTimes(1)
  expect(listeners.onUpdated).not.toHaveBeenCalled()
  await noteMinimumBuild(db, 1)
  await vi.waitFor(() => expect(listeners.onUpdated).toHaveBeenCalledTimes(1))
})

test('S49: lists whose cursors are forgotten are told, but not those of before this page', async () => {
  const { db } = device
  const pulled = { account: 'kofi', list: 'jobs', at: 1, cursor: 'c' }
  await db.pulls.put(pulled)
  await pullInFull(db, 'kofi', ['jobs'])
  follow()
  await settled()
  expect(listeners.onPullInFull).not.toHaveBeenCalled()
  await pullInFull(db, 'kofi', ['jobs'])
  await vi.waitFor(() => expect(listeners.onPullInFull.mock.calls).toEqual([[['jobs']]]))
  await pullInFull(db, 'kofi', ['sent'])
  await settled()
  expect(listeners.onPullInFull).toHaveBeenCalledTimes(1)
})

test('S31: the browser is asked to keep the data once, when there is something only this phone has', async () => {
  const { db, commands } = device
  const persistStorage = vi.fn()
  const product = { holdsUnsynced: async () => (await db.outbox.count()) > 0 }
  stops = [persistOnce(db, product as never, { persistStorage } as never)]
  await settled()
  expect(persistStorage).not.toHaveBeenCalled()
  await commands.requestDelivery(await filledDraft(commands), 'guest')
  await vi.waitFor(() => expect(persistStorage).toHaveBeenCalledTimes(1))
  await commands.requestDelivery(await filledDraft(commands), 'guest')
  await settled()
  expect(persistStorage).toHaveBeenCalledTimes(1)
})
