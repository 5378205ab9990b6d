import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { photo } from '../photo.ts'
import type { Account } from '../server/server-api.ts'
import { installed } from './worker.ts'

/** What people do with a phone, as they would say it. */

export type Request = {
  item: string
  from?: string
  to?: string
  recipient?: string
  offer?: string
  /** Which photo; see `photo`. */
  seed?: number
}

export const kofi = { name: 'Kofi Boateng', phone: '0244000001' }

/** Another phone, with the app on it. */
export async function newPhone(browser: Browser, origin: string): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(origin)
  await installed(page)
  return page
}

export async function fillRequest(page: Page, request: Request, guest?: typeof kofi) {
  const { item, from = 'Osu', to = 'Tema', recipient = 'Esi Mensah', offer = '60' } = request
  if (guest) {
    await page.getByLabel('Your name').fill(guest.name)
    await page.getByLabel('Your phone').fill(guest.phone)
  }
  await page.getByLabel('Item description').selectOption('Other')
  await page.getByLabel('Describe the item').fill(item)
  await page.getByLabel('Pickup zone').selectOption(from)
  await page.getByLabel('Drop-off zone').selectOption(to)
  await page.getByLabel('Recipient name').fill(recipient)
  await page.getByLabel('Recipient phone').fill('0550000001')
  await page.getByLabel('Offer').fill(offer)
  await page.getByLabel('Item photo: Choose photo').setInputFiles(photo(request.seed))
  await expect(page.getByRole('img', { name: 'Your item' })).toBeVisible()
}

/** Asks for the delivery and waits for its room; answers the delivery's ID. */
export async function submitRequest(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Request Delivery' }).click()
  await page.waitForURL(/\/delivery\/[0-9a-f-]{36}$/)
  return page.url().slice(-36)
}

export async function logIn(page: Page, { email, password }: Account | Credentials) {
  await page.goto(new URL('/auth', page.url()).href)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await page.waitForURL((url) => url.pathname !== '/auth')
}
type Credentials = { email: string; password: string }

/** The room's code, once the server has given it. */
export async function codeShown(page: Page): Promise<string> {
  const code = page.getByTestId('delivery-code')
  await expect(code).toHaveText(/^\d{5}$/)
  return (await code.textContent()) ?? ''
}

/** What the room says waits on this phone. */
export const waitingHere = (page: Page) =>
  page.locator('#main').getByText('Waiting on this phone', { exact: true }).first()

/** The header's word on the way to the server. */
export const pill = (page: Page) => page.getByTitle('Open Outbox')

/** One line of the outbox, by its name: `Request: Laptop`. */
export const entry = (page: Page, title: string) =>
  page.getByRole('article', { name: title, exact: true })

export const toast = (page: Page, title: string) =>
  page.locator('[data-toast]').filter({ hasText: title })

export const offline = (at: Page | BrowserContext, off = true) =>
  ('context' in at ? at.context() : at).setOffline(off)
export const online = (at: Page | BrowserContext) => offline(at, false)

/** Every row of one table of this phone. */
export const storedRows = (page: Page, table: string): Promise<unknown[]> =>
  page.evaluate(
    (name) =>
      new Promise<unknown[]>((resolve) => {
        const asked = indexedDB.open('soma')
        asked.onsuccess = () => {
          const all = asked.result.transaction(name).objectStore(name).getAll()
          all.onsuccess = () => {
            asked.result.close()
            resolve(all.result)
          }
        }
      }),
    table,
  )

/** The draft on this phone’s disk. */
export async function draftKept(page: Page): Promise<unknown> {
  const [draft] = (await storedRows(page, 'drafts')) as { value?: unknown }[]
  return draft?.value
}
