import { expect, type Page } from '@playwright/test'
import { appOpened } from '../helpers/page/app-opened.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* A page whose files are gone, and what an older version left. New releases: installed/new-release.e2e.ts. */

const fixture = serverFixture()
const api = serverApi(fixture)

/** Counts how often the page is loaded from now on. */
function loadsOf(page: Page) {
  const loads = { times: 0 }
  page.on('load', () => loads.times++)
  return loads
}

test('A missing chunk reloads no page into which something was typed, and another one once, not again and again', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, { origin: fixture().origin })
  await navigateTo(page, '/auth')
  const email = page.getByLabel('Email or phone number')
  await email.fill('ama@example.com')
  const served = page.waitForResponse(`${fixture().origin}/auth`)
  await page.evaluate(() => dispatchEvent(new Event('vite:preloadError')))
  await (await served).finished()
  // A reload would begin at once, and end this request.
  await page.evaluate(async () => (await fetch('/robots.txt')).text())
  await expect(email).toHaveValue('ama@example.com')
  await email.fill('')
  await email.blur()

  const loads = loadsOf(page)
  /** Resolves to whether the error reaches the screen. */
  const miss = () =>
    page.evaluate(() => dispatchEvent(new Event('vite:preloadError', { cancelable: true })))
  await miss()
  await expect.poll(() => loads.times).toBe(1)
  await appOpened(page)
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  expect(await miss()).toBe(true)
  // A reload would begin at once, and end this request.
  await page.evaluate(async () => (await fetch('/robots.txt')).text())
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  expect(loads.times).toBe(1)
  await page.context().close()
})

test('R84: A change of the cache version clears storage except token and user, and reloads the page, offline too', async ({
  browser,
}) => {
  const { token } = await api.createAccount('Ama', 'sender')
  const { user } = await api.ask('me', { token })
  const page = await openPhone(browser, api, undefined, {
    origin: fixture().origin,
    clock: true,
    serviceWorkers: 'allow',
  })
  const loads = loadsOf(page)
  await test.step('A message of the worker reloads the page too', async () => {
    await page.context().serviceWorkers()[0]?.evaluate(forceRefresh)
    await expect.poll(() => loads.times).toBe(1)
    await appOpened(page)
  })

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
  await page.reload()
  await expect.poll(() => loads.times).toBe(3)
  const { local, names } = await page.evaluate(async () => ({
    local: { ...localStorage },
    names: await caches.keys(),
  }))
  expect(local).toMatchObject({ cacheVersion: '1.2.3', token, 'lastWords:guest': 'x' })
  expect(JSON.parse(local.user ?? '')).toMatchObject({ ID: user.ID })
  expect(local).not.toHaveProperty('left-over')
  expect(names).not.toContain('left-over')

  await page.context().setOffline(true)
  await page.evaluate(() => localStorage.setItem('cacheVersion', '1.2.2'))
  await page.reload()
  await expect.poll(() => loads.times).toBe(5)
  await appOpened(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.context().close()
})

/** Runs in the worker; TypeScript types it as a page. */
async function forceRefresh() {
  const worker = globalThis as unknown as {
    clients: { matchAll: () => Promise<{ postMessage: (message: unknown) => void }[]> }
  }
  for (const client of await worker.clients.matchAll())
    client.postMessage({ type: 'FORCE_REFRESH' })
}
