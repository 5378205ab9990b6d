import { afterEach, expect, test, vi } from 'vitest'
import { askForBackgroundSync } from '#sync/platform/background-sync.ts'

afterEach(() => vi.unstubAllGlobals())

/** A browser with Background Sync whose worker is ready when the test says so. */
function stubBrowser() {
  const tags: string[] = []
  const register = vi.fn(async (tag: string) => void tags.push(tag))
  let resolve = (_registration: unknown) => {}
  const ready = new Promise((done) => {
    resolve = done
  })
  vi.stubGlobal('navigator', { serviceWorker: { ready, getRegistration: async () => undefined } })
  const workerIsReady = () => resolve({ sync: { register, getTags: async () => tags } })
  return { register, workerIsReady }
}

test('S35: what waits before the first worker is ready has it started once it is', async () => {
  const { register, workerIsReady } = stubBrowser()
  const asked = [askForBackgroundSync(), askForBackgroundSync()]
  expect(register).not.toHaveBeenCalled()
  workerIsReady()
  await Promise.all(asked)
  expect(register.mock.calls).toEqual([['soma-outbox']])
})

test('S35: a worker that is to be started is not asked for again; one that refused is', async () => {
  const { register, workerIsReady } = stubBrowser()
  workerIsReady()
  register.mockRejectedValueOnce(new DOMException('No worker is active', 'InvalidStateError'))
  await expect(askForBackgroundSync()).rejects.toThrow('No worker is active')
  await askForBackgroundSync()
  await askForBackgroundSync()
  expect(register).toHaveBeenCalledTimes(2)
})

test('a browser without workers is left alone', async () => {
  vi.stubGlobal('navigator', {})
  await expect(askForBackgroundSync()).resolves.toBeUndefined()
})
