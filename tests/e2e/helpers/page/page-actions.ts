import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { photo } from '../photo.ts'
import type { Account } from '../server/server-api.ts'
import { installed } from './worker.ts'

/* Actions of a person in the app, and the elements they look at. */

export type Request = {
  item: string
  from?: string
  to?: string
  recipient?: string
  offer?: string
  /** Which photo; see `photo`. */
  seed?: number
}

export const kofi = { name: 'Kofi Boateng' }

let guests = 0
/** Each guest has another number, because one that is not confirmed has few open requests (R151). */
const newGuestPhone = () => `02440${String(++guests).padStart(5, '0')}`

/** Opens the app in a new browser context with its service worker installed. */
export async function newPhone(browser: Browser, origin: string): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(origin)
  await installed(page)
  return page
}

/** Fills the form in; returns the number of the guest. */
export async function fillRequest(page: Page, request: Request, guest?: typeof kofi) {
  const phone = newGuestPhone()
  const { item, from = 'Osu', to = 'Tema', recipient = 'Esi Mensah', offer = '60' } = request
  await describeItem(page, item)
  await page.getByLabel('Item photo: Choose photo').setInputFiles(photo(request.seed))
  await expect(page.getByRole('img', { name: 'Your item' })).toBeVisible()
  await goOn(page)
  await page.getByLabel('Pickup zone').selectOption(from)
  await page.getByLabel('Drop-off zone').selectOption(to)
  await goOn(page)
  await page.getByLabel('Recipient name').fill(recipient)
  await page.getByLabel('Recipient phone').fill('0550000001')
  if (guest) {
    await page.getByLabel('Your name').fill(guest.name)
    await page.getByLabel('Your phone').fill(phone)
  }
  await page.getByLabel('Offer').fill(offer)
  return phone
}

/** Takes one of the choices that are drawn as tiles, as a thumb does: anywhere on the tile. */
export const chooseTile = (page: Page, name: string) =>
  page
    .locator('label')
    .filter({ has: page.getByRole('radio', { name }) })
    .click()

/** Writes what the item is, in the form's first step. */
export async function describeItem(page: Page, item: string) {
  await chooseTile(page, 'Other')
  await page.getByLabel('Describe the item').fill(item)
}

/** To the next step of the send form. */
export const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()

/** Opens a step of the send form that was there before: 1, 2 or 3. */
export const openStep = (page: Page, step: 1 | 2 | 3) =>
  page
    .getByRole('list', { name: /^Step/ })
    .getByRole('button')
    .nth(step - 1)
    .click()

/** Goes through the steps of the send form and presses the button of the last one. */
export async function pressRequest(page: Page): Promise<void> {
  // Which of the two it is depends on the step; while the form works it has another name.
  const button = page.getByRole('button', { name: /^(Continue|Request Delivery)$/ })
  const steps = page.getByRole('list', { name: /^Step/ })
  // A request that was put back into the form opens at its first step.
  await button.waitFor()
  for (;;) {
    const step = await steps.getAttribute('aria-label')
    await button.click()
    if (step === 'Step 3 of 3') return
    await expect(steps).not.toHaveAttribute('aria-label', step ?? '')
  }
}

/** Submits the send form and waits for the delivery screen; returns the delivery's ID. */
export async function submitRequest(page: Page): Promise<string> {
  await pressRequest(page)
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

/** The delivery code on the delivery screen, once the server has returned it. */
export async function codeShown(page: Page): Promise<string> {
  const code = page.getByTestId('delivery-code')
  await expect(code).toHaveText(/^\d{5}$/)
  return (await code.textContent()) ?? ''
}

/** The notice on the delivery screen that something is not yet sent. */
export const waitingHere = (page: Page) =>
  nextStep(page).getByRole('heading', { name: "Not sent yet · sends when you're online" })

/** What the delivery screen says is next. */
export const nextStep = (page: Page) => page.getByRole('status', { name: 'Next step' })

/** One job of the list, or one delivery under way, by its item. */
export const card = (page: Page, item: string) =>
  page.getByRole('article', { name: item, exact: true })

/** Opens a job's sheet in the list of Drive. */
export async function openJob(page: Page, item: string) {
  await jobOpener(page, item).click()
  return page.getByRole('dialog', { name: item })
}

/** What opens a job's sheet: all of its card but the button on it. */
export const jobOpener = (page: Page, item: string) =>
  card(page, item).getByRole('button', { name: 'Open' })

/** Accepts a job on its card in the list; its room opens. */
export async function acceptJob(page: Page, item: string): Promise<void> {
  await card(page, item).getByRole('button', { name: 'Accept Job' }).click()
  await page.waitForURL(/\/delivery\/[0-9a-f-]{36}$/)
}

/** The ten seconds of Undo pass at once. The phone was opened with `clock`. */
export const passUndo = (page: Page) => page.clock.fastForward(10_000)

/** Looks again and again, each time `step` ms later on the phone's clock. The phone was opened with `clock`. */
export const asTimePasses = <T>(page: Page, look: () => Promise<T>, step = 1_000) =>
  expect.poll(
    async () => {
      await page.clock.fastForward(step)
      return look()
    },
    { intervals: [100] },
  )

/** The sync state in the header. */
export const pill = (page: Page) => page.getByTitle('Open Outbox')

/** One entry of the outbox screen, by its title: `Request: Laptop`. */
export const entry = (page: Page, title: string) =>
  page.getByRole('article', { name: title, exact: true })

export const toast = (page: Page, title: string) =>
  page.locator('[data-toast]').filter({ hasText: title })

/**
 * Does something and waits for the toast that follows. The page's clock stands still between two looks: on a busy
 * machine the five seconds of a toast would pass unseen. The page was opened with `clock`.
 */
export async function toastAfter(page: Page, title: string, act: () => Promise<unknown>) {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
  await act()
  await asTimePasses(page, () => toast(page, title).isVisible(), 500).toBe(true)
  await page.clock.resume()
}

/** What a page says it has copied; it may read the clipboard. */
export async function copied(page: Page): Promise<string> {
  await expect(toast(page, 'Copied')).toBeVisible()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Says in the open dialog how the driver was paid, which approves (R171); also in a page that was translated. */
export async function sayPaid(page: Page, paidBy: 'momo' | 'cash'): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.locator(`input[value="${paidBy}"]`).check()
  await dialog.getByRole('button', { name: /I've paid$/ }).click()
}

export const offline = (at: Page | BrowserContext, off = true) =>
  ('context' in at ? at.context() : at).setOffline(off)
export const online = (at: Page | BrowserContext) => offline(at, false)

/**
 * The next tries of a phone whose network was cut come at once, until it shows that it is offline. It was opened
 * with `clock`.
 */
export const seesOffline = (
  page: Page,
  shown = pill(page).filter({ hasText: /^Offline/ }),
): Promise<void> =>
  expect(async () => {
    await page.clock.fastForward(15_000)
    await expect(shown).toBeVisible({ timeout: 1_000 })
  }).toPass()

/** Every row of one table of this phone's database. */
export const storedRows = (page: Page, table: string): Promise<unknown[]> =>
  page.evaluate(
    (name) =>
      new Promise<unknown[]>((resolve) => {
        const opening = indexedDB.open('soma')
        opening.onsuccess = () => {
          const all = opening.result.transaction(name).objectStore(name).getAll()
          all.onsuccess = () => {
            opening.result.close()
            resolve(all.result)
          }
        }
      }),
    table,
  )

/** The send form's draft in this phone's database. */
export async function draftKept(page: Page): Promise<unknown> {
  const [draft] = (await storedRows(page, 'drafts')) as { value?: unknown }[]
  return draft?.value
}
