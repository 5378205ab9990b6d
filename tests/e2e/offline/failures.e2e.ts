import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import {
  codeShown,
  fillRequest,
  kofi,
  offline,
  online,
  pill,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { installed } from '../helpers/page/worker.ts'
import { count } from '../helpers/server/network.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* Two tabs, a killed server, closed tabs: nothing is lost and nothing is sent twice. */

const fixture = serverFixture()
const api = serverApi(fixture)

const upload = 'POST /api/images/upload '
const create = 'POST /api/guest/deliveries '

test('Offline requests of two tabs are sent once, by the tab that wakes first', async ({
  page,
  context,
}) => {
  // Three forms, each with a photo, in two tabs of which one is in the background.
  test.setTimeout(120_000)
  const items = ['Bag of rice', 'Bag of beans', 'Bag of gari'] as const
  const other = await context.newPage()
  for (const tab of [page, other]) await openForm(tab)
  await offline(context)
  await fillRequest(page, { item: items[0], seed: 41 }, kofi)
  await submitRequest(page)
  await other.reload()
  await fillRequest(other, { item: items[1], seed: 42 }, kofi)
  await submitRequest(other)
  await page.goto(`${fixture().origin}/send`)
  await fillRequest(page, { item: items[2], seed: 43 }, kofi)
  await submitRequest(page)
  for (const tab of [page, other]) await expect(pill(tab)).toHaveText('Offline · 3 waiting')

  const before = fixture().proxy.requests.length
  const created = countCreated(context)
  await online(context)
  for (const tab of [page, other]) await expect(pill(tab)).toBeHidden()
  for (const tab of [page, other]) await codeShown(tab)
  for (const item of items) expect(await api.deliveriesNamed(item)).toHaveLength(1)
  const since = fixture().proxy.requests.slice(before)
  expect(count(since, upload)).toBe(3)
  expect(created.times).toBe(3)
})

test('When the sending tab is closed, the other tab goes on, and the delivery is created once', async ({
  page,
  context,
}) => {
  const item = 'Ceiling fan'
  const other = await context.newPage()
  for (const tab of [page, other]) await openForm(tab)
  await fillRequest(page, { item, seed: 44 }, kofi)
  fixture().proxy.set({ kind: 'silent' })
  await submitRequest(page)
  await expect.poll(() => count(fixture().proxy.requests, upload)).toBeGreaterThan(0)
  await page.close()
  fixture().proxy.set({ kind: 'fine' })
  await expect.poll(() => api.deliveriesNamed(item), { timeout: 20_000 }).toHaveLength(1)
  await expect(pill(other)).toBeHidden()
})

test('When the server is killed during the upload and restarted, the request is sent once', async ({
  page,
}) => {
  const item = 'Wooden stool'
  await openForm(page)
  await fillRequest(page, { item, seed: 45 }, kofi)
  fixture().proxy.set({ kind: 'slow', delay: 300 })
  const before = count(fixture().proxy.requests, upload)
  await submitRequest(page)
  await expect.poll(() => count(fixture().proxy.requests, upload)).toBeGreaterThan(before)
  await fixture().server.kill()
  await expect(pill(page)).toHaveText('Offline · 1 waiting')

  fixture().proxy.set({ kind: 'fine' })
  await fixture().server.restart()
  await page.reload()
  await codeShown(page)
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
})

test('When the server is killed after it stored the delivery, the repeat gets the same delivery', async ({
  page,
}) => {
  const item = 'Fishing net'
  await openForm(page)
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
  await expect(pill(page)).toHaveText('Offline · 1 waiting')

  fixture().proxy.set({ kind: 'fine' })
  await fixture().server.restart()
  const [made] = await api.deliveriesNamed(item)
  expect(made?.ID).toBe(id)
  await page.reload()
  expect(await codeShown(page)).toBe(made?.deliveryCode)
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
})

test('S35: With every tab closed, the worker sends a photo and its request when the network is back', async ({
  page,
  context,
}) => {
  const item = 'Guitar'
  await openForm(page)
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
})

async function openForm(page: Page) {
  await page.goto(`${fixture().origin}/send`)
  await installed(page)
}

/** Counts the guest requests that get an answer from now on, each alone or with others in a batch. */
function countCreated(context: BrowserContext): { times: number } {
  const created = { times: 0 }
  context.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    if (`${request.method()} ${pathname} ` === create) created.times += 1
    if (pathname !== '/api/batch') return
    const { operations }: { operations: { path: string }[] } = request.postDataJSON()
    created.times += operations.filter(({ path }) => path === '/guest/deliveries').length
  })
  return created
}

/** The Background Sync tags that the page has registered. */
const syncTags = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const { sync } = registration as unknown as { sync: { getTags(): Promise<string[]> } }
    return sync.getTags()
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
