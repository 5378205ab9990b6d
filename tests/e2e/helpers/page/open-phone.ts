import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import type { Account, ServerApi } from '../server/server-api.ts'

type About = BrowserContextOptions & {
  origin: string
  /** Runs before the app is opened. */
  prepare?: (page: Page) => Promise<unknown>
}

/**
 * A phone with the app open on it, on which this person has logged in before, or one of nobody's.
 * The service worker is left out unless asked for, so that tests can stand in for the server.
 */
export async function openPhone(
  browser: Browser,
  hall: ServerApi,
  person: Pick<Account, 'token'> | undefined,
  { origin, prepare, ...options }: About,
): Promise<Page> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options })
  if (person) await remember(context, hall, person.token)
  const page = await context.newPage()
  await prepare?.(page)
  await page.goto(origin)
  await page.getByRole('link', { name: person ? 'Profile' : 'Login' }).waitFor()
  return page
}

/** As a login leaves it behind in local storage (R84); not again once the person has logged out. */
async function remember(context: BrowserContext, hall: ServerApi, token: string) {
  const { user } = await hall.ask('me', { token })
  await context.addInitScript(
    ([key, kept]) => {
      if (localStorage.getItem('remembered')) return
      localStorage.setItem('remembered', 'yes')
      localStorage.setItem('cacheVersion', '1.2.3')
      localStorage.setItem('token', key ?? '')
      localStorage.setItem('user', kept ?? '')
    },
    [token, JSON.stringify(user)],
  )
}

/** Goes to another screen as a link would, without loading the page again. */
export async function navigateTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)
}
