import { expect, test } from '@playwright/test'
import { freshTown } from './town.ts'
import { installed } from './worker.ts'

const town = freshTown()

test('A guest opens the app, and opens it again with the network off', async ({
  page,
  context,
}) => {
  await page.goto(town().origin)
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
  await installed(page)

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
})

test('A page never opened before opens with the network off', async ({ page, context }) => {
  await page.goto(town().origin)
  await installed(page)

  await context.setOffline(true)
  await page.goto(`${town().origin}/send`)
  await expect(page.locator('#root')).not.toBeEmpty()
  await expect(page.locator('.boot-body')).toHaveCount(0)
})

test('The app opens in a dead zone that looks like a network', async ({ page }) => {
  await page.goto(town().origin)
  await installed(page)

  town().road.set({ kind: 'silent' })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
})

test('The worker keeps no answer of the API', async ({ page }) => {
  await page.goto(town().origin)
  await installed(page)
  const zones = await page.evaluate(async () => (await fetch('/api/zones')).status)
  expect(zones).toBe(200)
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const lists = names.map(async (name) => (await caches.open(name)).keys())
    return (await Promise.all(lists)).flat().map((request) => new URL(request.url).pathname)
  })
  expect(kept).toContain('/index.html')
  expect(kept.filter((path) => path.startsWith('/api'))).toEqual([])
})
