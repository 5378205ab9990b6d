import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, expect, type Page } from '@playwright/test'
import { logIn } from '../e2e/helpers/page/page-actions.ts'
import { serverFixture, test } from '../e2e/helpers/server/server-fixture.ts'
import { fill } from '../helpers/database/fill-database.ts'
import { admin } from '../helpers/server/app-server.ts'

/*
 * An admin's lists with 100,000 deliveries and 20,000 users on the server, against the same steps over
 * 100 deliveries and 20 users. Milliseconds in the browser from the action to the rows; medians. A
 * ratio of 1 means that the size does not matter.
 */

const small = serverFixture()
const large = serverFixture()
const runs = Number(process.env.BENCH_RUNS ?? 5)
const results: Record<string, string | number>[] = []

test.afterAll(() => {
  for (const result of results) process.stdout.write(`${JSON.stringify(result)}\n`)
  const folder = join(process.env.DATA_DIR ?? 'data', 'bench')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'admin.json'), `${JSON.stringify(results, null, 2)}\n`)
})

type Step = { name: string; most: number; act: (page: Page) => Promise<void> }

const shown = (page: Page, text: RegExp) => expect(page.getByText(text)).toBeVisible()
/** Waits until the rows are those of the last query. */
const rowsLoaded = (page: Page) =>
  expect(page.locator('[aria-busy=false] tbody tr').first()).toBeVisible()

const deliveries: Step[] = [
  {
    name: 'deliveries: open',
    most: 3_000,
    act: async (page) => {
      await page.getByRole('link', { name: 'Deliveries' }).click()
      await shown(page, /^Showing 1 to 10 of/)
    },
  },
  {
    name: 'deliveries: sort by price',
    most: 3_000,
    act: async (page) => {
      await page.getByRole('button', { name: 'Price (GH₵)' }).click()
      await expect(page.getByRole('cell', { name: /^10\.\d\d$/ }).first()).toBeVisible()
      await rowsLoaded(page)
    },
  },
  {
    name: 'deliveries: next page',
    most: 3_000,
    act: async (page) => {
      await page.getByRole('button', { name: 'Next' }).click()
      await shown(page, /^Showing 11 to 20 of/)
    },
  },
  {
    name: 'deliveries: search, many found',
    most: 4_000,
    act: async (page) => {
      await page.getByPlaceholder('Search all deliveries...').fill('kente')
      await expect(page.getByRole('button', { name: 'Kente cloth' }).nth(9)).toBeVisible()
      await rowsLoaded(page)
    },
  },
  {
    name: 'deliveries: search, none found',
    most: 4_000,
    act: async (page) => {
      await page.getByPlaceholder('Search all deliveries...').fill('no such thing')
      await expect(page.getByRole('cell', { name: 'No results.' })).toBeVisible()
    },
  },
]

const users: Step[] = [
  {
    name: 'users: open',
    most: 3_000,
    act: async (page) => {
      await page.getByRole('link', { name: 'Users' }).click()
      await shown(page, /^Showing 1 to 10 of/)
    },
  },
  {
    name: 'users: search',
    most: 4_000,
    act: async (page) => {
      await page.getByPlaceholder('Search all users...').fill('.17@')
      await shown(page, /^Showing 1 to 1 of 1 results/)
    },
  },
  {
    name: 'a user’s details',
    most: 4_000,
    act: async (page) => {
      await page.getByRole('cell').getByRole('button').first().click()
      await expect(page.getByRole('heading', { name: /^Deliveries \(/ })).toBeVisible()
    },
  },
  {
    name: 'dashboard with its plots',
    most: 6_000,
    act: async (page) => {
      await page.getByRole('link', { name: 'Dashboard' }).click()
      await expect(page.locator('.plot canvas')).toHaveCount(3)
      await expect(page.locator('.skeleton')).toHaveCount(0)
    },
  },
]
const steps = [...deliveries, ...users]

test('The admin’s lists at 100,000 deliveries against a nearly empty server', async ({
  browser,
}) => {
  await fill(small().server.database(), { users: 20, deliveries: 100 })
  const began = performance.now()
  await fill(large().server.database(), { users: 20_000, deliveries: 100_000 })
  results.push({
    work: 'filling the large one',
    seconds: Math.round((performance.now() - began) / 1000),
  })
  const [few, many] = [
    await measureSteps(browser, small().origin),
    await measureSteps(browser, large().origin),
  ]
  for (const { name, most } of steps) {
    const [ours, theirs] = [median(many.get(name) ?? []), median(few.get(name) ?? [])]
    results.push({
      work: name,
      ratio: Number((ours / theirs).toFixed(2)),
      'large ms': Math.round(ours),
      'small ms': Math.round(theirs),
      runs,
    })
    expect(ours, name).toBeLessThan(most)
  }
})

test('All 100,000 deliveries are downloaded as one file', async ({ browser }) => {
  const page = await openAdmin(browser, large().origin)
  await page.getByRole('link', { name: 'Deliveries' }).click()
  const began = performance.now()
  const coming = page.waitForEvent('download', { timeout: 180_000 })
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await coming
  const { size } = statSync(await file.path())
  const seconds = Math.round((performance.now() - began) / 1000)
  results.push({ work: 'CSV of 100,000 deliveries', seconds, megabytes: Math.round(size / 1e6) })
  await page.context().close()
})

async function openAdmin(browser: Browser, origin: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    isMobile: false,
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await page.goto(origin)
  await logIn(page, admin)
  return page
}

async function measureSteps(browser: Browser, origin: string): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>()
  for (let run = 0; run < runs; run++) {
    const page = await openAdmin(browser, origin)
    await expect(page.locator('.plot canvas')).toHaveCount(3)
    for (const { name, act } of steps) {
      const began = performance.now()
      await act(page)
      times.set(name, [...(times.get(name) ?? []), performance.now() - began])
    }
    await page.context().close()
  }
  return times
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
