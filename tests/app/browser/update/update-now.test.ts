import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const reload = vi.fn()
const location = { reload, href: 'https://soma.example/', pathname: '/' }
// The app's address is read when its module is first imported.
vi.stubGlobal('location', location)
const { takeUpdateIntent } = await import('#app/browser/update/update-intent.ts')
const { updateNow } = await import('#app/browser/update/update-now.ts')

const workers = new EventTarget()
const postMessage = vi.fn()
const update = vi.fn<() => Promise<unknown>>()
const waiting = Object.assign(new EventTarget(), { state: 'installed', postMessage })
const registration = {
  waiting: undefined as unknown,
  installing: undefined,
  update,
}

beforeEach(() => {
  vi.useFakeTimers()
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('location', location)
  const serviceWorker = Object.assign(workers, { getRegistration: async () => registration })
  vi.stubGlobal('navigator', { serviceWorker })
  registration.waiting = waiting
  update.mockResolvedValue(undefined)
  for (const mock of [reload, postMessage]) mock.mockClear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('R83: an update that was asked for reloads the page once the new worker controls it', async () => {
  expect(await updateNow()).toBe(true)
  expect(postMessage).toHaveBeenCalledWith({ type: 'SKIP_WAITING' })
  expect(reload).not.toHaveBeenCalled()
  workers.dispatchEvent(new Event('controllerchange'))
  expect(reload).toHaveBeenCalledTimes(1)
  expect(takeUpdateIntent()).toBe(false)
})

test('R83: where the browser keeps the new worker waiting the page is loaded again, once with what was asked for', async () => {
  expect(await updateNow()).toBe(true)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(reload).toHaveBeenCalledTimes(1)
  expect(takeUpdateIntent()).toBe(true)
  expect(takeUpdateIntent()).toBe(false)
})

test.each([
  ['without a network', () => Promise.reject(new TypeError('Failed to update'))],
  ['on a network that is silent', () => new Promise(() => {})],
])('R83: %s a version that waits already is let in', async (_, answer) => {
  update.mockImplementation(answer)
  const updating = updateNow()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await updating).toBe(true)
  expect(postMessage).toHaveBeenCalledTimes(1)
})

test('S48: without a newer version it says so, and without a network it rejects', async () => {
  registration.waiting = null
  expect(await updateNow()).toBe(false)
  update.mockRejectedValue(new TypeError('Failed to update'))
  await expect(updateNow()).rejects.toThrow('Failed to update')
  expect(reload).not.toHaveBeenCalled()
})
