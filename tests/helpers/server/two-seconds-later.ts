import { vi } from 'vitest'

/** What the server does two seconds after this work, such as moving an ID photo, begins at once. */
export async function twoSecondsLater<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const result = await work()
    await vi.advanceTimersByTimeAsync(2_000)
    return result
  } finally {
    vi.useRealTimers()
  }
}
