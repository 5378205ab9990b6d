import { rmSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { appOpened } from '../helpers/page/app-opened.ts'
import { installed } from '../helpers/page/worker.ts'
import { copyOfBuild, release } from '../helpers/server/release.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

let root: string
const fixture = serverFixture({
  root: () => {
    root = copyOfBuild()
    return root
  },
})
const api = serverApi(fixture)
test.afterAll(() => rmSync(root, { recursive: true, force: true }))

test('R83: A new release is found within the hour and reloads a page on which nothing is typed', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto(fixture().origin)
  await installed(page)
  release(root, 'second')

  await page.clock.fastForward('30:00')
  await expectRelease(page, null)
  await page.clock.fastForward('31:00')
  await expectRelease(page, 'second')
})

test('R83: A new release waits while text is typed, and is loaded afterwards', async ({ page }) => {
  await page.goto(`${fixture().origin}/send?step=3`)
  await installed(page)
  const field = page.getByRole('textbox').first()
  await field.fill('Ama')
  release(root, 'third')
  await update(page)
  await expect.poll(() => waiting(page)).toBe(true)
  await page.waitForTimeout(2_500)
  await expectRelease(page, 'second')
  await expect(field).toHaveValue('Ama')

  await field.fill('')
  await field.blur()
  await expectRelease(page, 'third')
})

test('R83: A new release that was being installed when the page was opened is loaded too', async ({
  page,
}) => {
  await page.goto(fixture().origin)
  await installed(page)
  release(root, 'found early')
  // The install takes seconds; the page itself comes from the worker of the release before.
  fixture().proxy.set({ kind: 'slow', delay: 1_000 })
  await update(page)
  await page.reload()
  await expectRelease(page, 'third')
  await expect.poll(() => installing(page)).toBe(true)
  await appOpened(page)
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
  fixture().proxy.set({ kind: 'fine' })
  await expectRelease(page, 'found early')
})

test('A release that is half copied is not installed; the one before still opens offline', async ({
  page,
  context,
}) => {
  await page.goto(fixture().origin)
  await installed(page)
  release(root, 'torn', true)
  const outcome = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const fresh = new Promise<string>((resolve) =>
      registration.addEventListener('updatefound', () => {
        const worker = registration.installing
        worker?.addEventListener('statechange', () => resolve(worker.state))
      }),
    )
    await registration.update()
    return fresh
  })
  expect(outcome).toBe('redundant')
  await context.setOffline(true)
  await page.reload()
  await appOpened(page)
  await expectRelease(page, 'found early')
  release(root, 'mended')
})

test('A message of the worker reloads the page', async ({ page, context }) => {
  await page.goto(fixture().origin)
  await installed(page)
  const reloaded = page.waitForEvent('load')
  await context.serviceWorkers()[0]?.evaluate(forceRefresh)
  await reloaded
})

test('A missing chunk reloads the page once, not again and again', async ({ page }) => {
  await page.goto(fixture().origin)
  await appOpened(page)
  const miss = () =>
    page.evaluate(() => dispatchEvent(new Event('vite:preloadError', { cancelable: true })))
  const reloaded = page.waitForEvent('load')
  await miss()
  await reloaded
  await appOpened(page)
  let loads = 0
  page.on('load', () => loads++)
  // The event was not prevented: the error reaches the screen that imported the chunk.
  expect(await miss()).toBe(true)
  await page.waitForTimeout(500)
  expect(loads).toBe(0)
})

test('R84: A change of the cache version clears storage except token and user, and reloads the page', async ({
  page,
}) => {
  const { token } = await api.createAccount('Ama', 'sender')
  const { user } = await api.ask('me', { token })
  await page.goto(fixture().origin)
  await installed(page)
  await page.evaluate(
    async (session) => {
      localStorage.setItem('cacheVersion', '1.2.2')
      localStorage.setItem('token', session.token)
      localStorage.setItem('user', JSON.stringify(session.user))
      localStorage.setItem('left-over', 'x')
      localStorage.setItem('lastWords:guest', 'x')
      await (await caches.open('left-over')).put('/left-over', new Response('x'))
    },
    { token, user },
  )
  let loads = 0
  page.on('load', () => loads++)
  await page.reload()
  await expect.poll(() => loads).toBe(2)
  const { local, names } = await page.evaluate(async () => ({
    local: { ...localStorage },
    names: await caches.keys(),
  }))
  expect(local).toMatchObject({ cacheVersion: '1.2.3', token, 'lastWords:guest': 'x' })
  expect(JSON.parse(local.user ?? '')).toMatchObject({ ID: user.ID })
  expect(local).not.toHaveProperty('left-over')
  expect(names).not.toContain('left-over')
})

test('R84: After a change of the cache version offline the app still opens', async ({
  page,
  context,
}) => {
  await page.goto(fixture().origin)
  await installed(page)
  await context.setOffline(true)
  await page.evaluate(() => localStorage.setItem('cacheVersion', '1.2.2'))
  let loads = 0
  page.on('load', () => loads++)
  await page.reload()
  await expect.poll(() => loads).toBe(2)
  await appOpened(page)
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
})

test('A first visit is not reloaded', async ({ page }) => {
  let loads = 0
  page.on('load', () => loads++)
  await page.goto(fixture().origin)
  await installed(page)
  await page.waitForTimeout(1_000)
  expect(loads).toBe(1)
})

/** Runs in the worker; TypeScript types it as a page. */
async function forceRefresh() {
  const worker = globalThis as unknown as {
    clients: { matchAll: () => Promise<{ postMessage: (message: unknown) => void }[]> }
  }
  for (const client of await worker.clients.matchAll())
    client.postMessage({ type: 'FORCE_REFRESH' })
}

const expectRelease = (page: Page, mark: string | null) =>
  expect.poll(() => page.locator('html').getAttribute('data-release')).toBe(mark)

const update = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })

const installing = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.ready).installing !== null)

const waiting = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null)
