import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { bundle } from '../helpers/bundle.ts'
import { type Trouble, troubles } from '../helpers/scan/hard-frames.ts'

/*
 * `npm run bench -- scan`: how long the scanner takes to read a camera's frame of 640 × 640 pixels on a processor
 * eight times as slow (R110). On the page's own thread, the only one that Chromium slows down; the app has a worker.
 */

type Judged = { judged: (trouble: Trouble, seed: number) => number | undefined }

const slower = 8
const scenes = 20
const most = 300

test('R110: A readable frame is judged within 300 ms at CPU ÷ 8', async ({ page }) => {
  await page.addScriptTag({ content: await bundle(join(import.meta.dirname, 'scan.page.ts')) })
  await times(page, 1)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const all = await times(page, scenes)
  const readable = all.filter((each) => each !== null).sort((a, b) => a - b)
  const at = (part: number) => Math.round(readable[Math.floor((readable.length - 1) * part)] ?? 0)
  const result = {
    work: `a hard frame judged at CPU ÷ ${slower}: ms`,
    frames: all.length,
    'read singly': `${Math.round((100 * readable.length) / all.length)} %`,
    median: at(0.5),
    p95: at(0.95),
    max: at(1),
  }
  process.stdout.write(`${JSON.stringify(result)}\n`)
  const folder = join(process.env.DATA_DIR ?? 'data', 'bench')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'scan.json'), `${JSON.stringify(result, null, 2)}\n`)
  expect(at(1)).toBeLessThanOrEqual(most)
})

/** Of each trouble this many scenes; `null` where a frame was not read. */
const times = (page: Page, count: number): Promise<(number | null)[]> =>
  page.evaluate(
    ([kinds, scenesOfEach]) => {
      const { judged } = globalThis as unknown as Judged
      return kinds.flatMap((kind) =>
        Array.from({ length: scenesOfEach }, (_, at) => judged(kind, at + 1) ?? null),
      )
    },
    [troubles, count] as const,
  )
