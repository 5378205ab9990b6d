import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { photo } from '../e2e/helpers/photo.ts'
import { serverFixture, test } from '../e2e/helpers/server/server-fixture.ts'
import { bundle } from '../helpers/bundle.ts'
import { median, resultsTable, round } from './results.ts'

/*
 * Enqueue and replay: ratios within one run, medians of seven. Below 1 ours is
 * the faster.
 */

const fixture = serverFixture()
const runs = Number(process.env.BENCH_RUNS ?? 7)
const count = 1_000

type Bench = Record<string, (...args: unknown[]) => Promise<number>>
const { keep } = resultsTable('spine.json')

test('Enqueue of 1,000 mutations against bare Dexie', async ({ browser }) => {
  const ours = { together: [] as number[], oneByOne: [] as number[] }
  const bare = { together: [] as number[], oneByOne: [] as number[] }
  await inFreshPages(browser, async (run) => {
    bare.together.push(await run('bare', count, 'together'))
    ours.together.push(await run('enqueue', count, 'together'))
    bare.oneByOne.push(await run('bare', count, 'one by one'))
    ours.oneByOne.push(await run('enqueue', count, 'one by one'))
  })
  report('enqueue 1,000, a burst ÷ bare bulk write', ours.together, bare.together)
  report('enqueue 1,000, a burst ÷ bare one by one', ours.together, bare.oneByOne)
  report('enqueue 1,000, awaited ÷ bare one by one', ours.oneByOne, bare.oneByOne)
})

test('Replay of 1,000 queued mutations against a sequential fetch loop', async ({ browser }) => {
  const url = await hostedPhoto()
  const ours: number[] = []
  const loop: number[] = []
  await inFreshPages(browser, async (run) => {
    loop.push(await run('fetchLoop', count, url))
    ours.push(await run('replay', count, url))
  })
  report('replay 1,000 queued ÷ sequential fetch loop', ours, loop)
})

async function inFreshPages(browser: Browser, work: (run: Run) => Promise<void>) {
  const script = await bundle(join(import.meta.dirname, 'page.ts'))
  for (let each = 0; each < runs; each++) {
    const context = await browser.newContext({ bypassCSP: true, serviceWorkers: 'block' })
    const page = await context.newPage()
    await page.goto(`${fixture().server.origin}/api/zones`)
    await page.addScriptTag({ content: script })
    await work((name, ...args) => inside(page, name, args))
    await context.close()
  }
}

type Run = (name: string, ...args: unknown[]) => Promise<number>

const inside = (page: Page, name: string, args: unknown[]): Promise<number> =>
  page.evaluate(
    ([called, input]) =>
      (globalThis as unknown as { bench: Bench }).bench[called as string]?.(
        ...(input as unknown[]),
      ) ?? -1,
    [name, args],
  )

async function hostedPhoto(): Promise<string> {
  const form = new FormData()
  const { buffer, mimeType } = photo()
  form.set('file', new Blob([new Uint8Array(buffer)], { type: mimeType }))
  const { imageUploadUrl, imageUploadPreset } = await (
    await fetch(`${fixture().origin}/api/config`)
  ).json()
  form.set('upload_preset', imageUploadPreset)
  const answer = await (await fetch(imageUploadUrl, { method: 'POST', body: form })).json()
  return answer.secure_url
}

function report(work: string, ours: number[], theirs: number[]) {
  const ratio = median(ours) / median(theirs)
  keep({
    work,
    ratio: round(ratio, 2),
    'ours ms': Math.round(median(ours)),
    'theirs ms': Math.round(median(theirs)),
    runs: ours.length,
  })
}
