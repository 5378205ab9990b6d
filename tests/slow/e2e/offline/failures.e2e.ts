import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  asTimePasses,
  codeShown,
  fillRequest,
  kofi,
  offline,
  online,
  pill,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* Two tabs, a killed server, closed tabs: nothing is lost and nothing is sent twice. */

const fixture = serverFixture()
const api = serverApi(fixture)
const create = 'POST /api/guest/deliveries '

const openForm = (browser: Browser) =>
  openPhone(browser, api, undefined, {
    origin: `${fixture().origin}/send`,
    clock: true,
    serviceWorkers: 'allow',
  })

/** The Background Sync tags that the page has registered. */
const syncTags = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const { sync } = registration as unknown as { sync: { getTags(): Promise<string[]> } }
    return sync.getTags()
  })

test('When the server is killed after it stored the delivery, the repeat gets the same delivery', async ({
  browser,
}) => {
  const item = 'Fishing net'
  const page = await openForm(browser)
  await fillRequest(page, { item, seed: 46 }, kofi)
  let killed: Promise<void> | undefined
  fixture().proxy.set({
    kind: 'answer lost',
    losing: (line) => {
      if (!line.startsWith(create)) return false
      killed ??= fixture().server.kill()
      return true
    },
  })
  const id = await submitRequest(page)
  await expect.poll(() => killed !== undefined).toBe(true)
  await killed
  await asTimePasses(page, () => pill(page).textContent()).toBe('Offline · 1 waiting')

  fixture().proxy.set({ kind: 'fine' })
  await fixture().server.restart()
  const [made] = await api.deliveriesNamed(item)
  expect(made?.ID).toBe(id)
  await page.reload()
  expect(await codeShown(page)).toBe(made?.deliveryCode)
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
  await page.context().close()
})

test('S35: With every tab closed, the worker sends a photo and its request when the network is back', async ({
  browser,
}) => {
  const item = 'Guitar'
  const page = await openForm(browser)
  const context = page.context()
  await offline(context)
  await fillRequest(page, { item, seed: 47 }, kofi)
  const id = await submitRequest(page)
  await expect(pill(page)).toHaveText('Offline · 1 waiting')
  // Asked for once an attempt to send has failed, which the pill does not wait for.
  await expect.poll(() => syncTags(page)).toContain('soma-outbox')
  await page.close()
  await online(context)
  await wakeWorker(context)
  await expect.poll(() => api.deliveriesNamed(item)).toHaveLength(1)

  const again = await context.newPage()
  await again.goto(`${fixture().origin}/delivery/${id}`)
  await codeShown(again)
  await expect(pill(again)).toBeHidden()
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
  await context.close()
})

/** Fires Background Sync now; the browser itself would wait for minutes. */
async function wakeWorker(context: BrowserContext) {
  const nobody = await context.newPage()
  const cdp = await context.newCDPSession(nobody)
  const registered = new Promise<string>((found) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(fixture().origin))
      if (ours) found(ours.registrationId)
    }),
  )
  await cdp.send('ServiceWorker.enable')
  await cdp.send('ServiceWorker.dispatchSyncEvent', {
    origin: fixture().origin,
    registrationId: await registered,
    tag: 'soma-outbox',
    lastChance: false,
  })
  await nobody.close()
}
