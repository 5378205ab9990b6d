import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/* When the first screen counts as drawn: frames are drawn by hand. */

let frames: FrameRequestCallback[] = []

beforeEach(() => {
  vi.resetModules()
  frames = []
  vi.stubGlobal('requestAnimationFrame', (call: FrameRequestCallback) => frames.push(call))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A new page: what it exports, and whether its first screen is there. */
async function newPage() {
  const page = await import('#app/browser/first-screen.ts')
  let isShown = false
  void page.firstScreen().then(() => {
    isShown = true
  })
  return { ...page, isShown: () => isShown }
}

/** Draws so many frames, with the tasks that follow each. */
async function draw(count: number) {
  for (let frame = 0; frame < count; frame++) {
    for (const call of frames.splice(0)) call(0)
    for (let task = 0; task < 3; task++) await new Promise((resolve) => setImmediate(resolve))
  }
}

test('It is waited for until the shell is open and every query has a result', async () => {
  const page = await newPage()
  const answered = [page.countQuery(), page.countQuery()]
  await draw(5)
  page.openFirstScreen()
  await draw(5)
  answered[0]?.()
  // A second result of the same query counts for nothing.
  answered[0]?.()
  await draw(5)
  expect(page.isShown()).toBe(false)
  answered[1]?.()
  await draw(3)
  expect(page.isShown()).toBe(true)
})

test('A query that another one leads to is waited for too', async () => {
  const page = await newPage()
  const first = page.countQuery()
  page.openFirstScreen()
  await draw(3)
  first()
  await draw(1)
  const second = page.countQuery()
  await draw(5)
  expect(page.isShown()).toBe(false)
  second()
  await draw(3)
  expect(page.isShown()).toBe(true)
})

test('A page that draws nothing, or waits for long, is not waited for', async () => {
  const page = await newPage()
  page.countQuery()
  page.openFirstScreen()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(page.isShown()).toBe(true)
})
