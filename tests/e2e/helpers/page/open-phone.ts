import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import type { Account, ServerApi } from '../server/server-api.ts'
import { appOpened } from './app-opened.ts'
import { installed } from './worker.ts'

type PhoneOptions = BrowserContextOptions & {
  origin: string
  /**
   * The test moves this phone's clock, with `page.clock`; until then it goes on by itself, from this time or now.
   * Left out: a phone with a worker has such a clock; `false`: it never has, as in a benchmark.
   */
  clock?: boolean | Date
  /** Runs before the app is opened. */
  prepare?: (page: Page) => Promise<unknown>
}

/**
 * Opens the app in a new browser context, logged in as `person` where one is named. The service worker
 * is blocked unless `options` allow it, so that Playwright can intercept requests; else it is installed.
 */
export async function openPhone(
  browser: Browser,
  api: ServerApi,
  person: Pick<Account, 'token'> | undefined,
  { origin, clock, prepare, ...options }: PhoneOptions,
): Promise<Page> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options })
  if (person) await remember(context, api, person.token)
  const hasWorker = options.serviceWorkers === 'allow'
  if (clock ?? hasWorker)
    await context.clock.install({ time: clock instanceof Date ? clock : undefined })
  const page = await context.newPage()
  await prepare?.(page)
  await page.goto(origin)
  await page
    .getByRole('link', { name: person ? 'Profile' : 'Login' })
    .filter({ visible: true })
    .first()
    .waitFor()
  await appOpened(page)
  if (hasWorker) {
    // On a first visit the worker is registered a second after everything else has loaded.
    if (clock !== false) await page.clock.fastForward(1_000)
    await installed(page)
  }
  return page
}

/** Writes what a login leaves in local storage (R84), once: a later logout must stand. */
async function remember(context: BrowserContext, api: ServerApi, token: string) {
  const { user } = await api.ask('me', { token })
  await context.addInitScript(
    ([storedToken, storedUser]) => {
      if (localStorage.getItem('remembered')) return
      localStorage.setItem('remembered', 'yes')
      localStorage.setItem('cacheVersion', '1.2.3')
      localStorage.setItem('token', storedToken ?? '')
      localStorage.setItem('user', storedUser ?? '')
    },
    [token, JSON.stringify(user)],
  )
}

/** Goes to another screen as a link would, without loading the page again. */
export async function navigateTo(page: Page, path: string): Promise<void> {
  await appOpened(page)
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)
}
