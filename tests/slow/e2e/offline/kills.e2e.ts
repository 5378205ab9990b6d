import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { bundle } from '../../../helpers/bundle.ts'
import type { ProxyCondition } from '../../../helpers/network/proxy.ts'
import type { Tab } from './kills.page.ts'

/* Two tabs that act and send on an unreliable network; one of them is killed fifty times while it works. */

const fixture = serverFixture()
const api = serverApi(fixture)

const kills = 50
/** The same moments, network conditions and ways to kill in every run with the same seed. */
const random = seeded(Number(process.env.KILLS_SEED ?? 20_261_121))

test('S1, S2, S3, S4: after 50 kills nothing is lost, nothing is stored twice, and nothing comes before what it depends on', async ({
  context,
}) => {
  test.setTimeout(8 * 60_000)
  const script = await bundle(join(import.meta.dirname, 'kills.page.ts'))
  const photo = (await api.createDelivery(await api.createAccount('Abena Sarpong', 'sender'), {}))
    .itemPhoto
  const acknowledged = new Set<string>()
  const tried = new Set<string>()
  // Fulfilled here, not by the proxy: the test is about sending, not about opening a page.
  await context.route('**/kills', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  const tabs = [await open(context, script), await open(context, script)]

  for (let kill = 0; kill < kills; kill++) {
    fixture().proxy.set(randomCondition())
    const items = [`Box ${kill} a`, `Box ${kill} b`]
    for (const item of items) tried.add(item)
    const [acting, dying] = [random(2), random(2)]
    const acts = inTab(tabs[acting], 'act', items, photo)
      .then(() => {
        for (const item of items) acknowledged.add(item)
      })
      // The tab was killed before it could say that all is kept.
      .catch(() => {})
    await pause(random(120))
    await end(tabs[dying] as Page)
    await acts
    tabs[dying] = await open(context, script)
  }

  fixture().proxy.set({ kind: 'fine' })
  const unsent = async () => {
    await inTab(tabs[0], 'wake')
    const { done: _, ...rest } = (await inTab(tabs[0], 'states')) as Record<string, number>
    return rest
  }
  await expect.poll(unsent).toEqual({})

  const { deliveries } = await api.asAdmin('adminDeliveries', { query: { limit: '1000' } })
  const { disputes } = await api.asAdmin('adminDisputes', { query: { limit: '1000' } })
  const made = deliveries.filter((each) => tried.has(each.itemDescription))
  const names = made.map((each) => each.itemDescription)
  expect(new Set(names).size, 'delivered twice').toBe(names.length)
  expect(
    [...acknowledged].filter((item) => !names.includes(item)),
    'lost',
  ).toEqual([])
  const about = disputes.map((dispute) => dispute.DeliveryID)
  expect(new Set(about).size, 'reported twice').toBe(about.length)
  const reported = made.filter(({ ID }) => about.includes(ID)).map((each) => each.itemDescription)
  expect(
    [...acknowledged].filter((item) => !reported.includes(item)),
    'reports lost',
  ).toEqual([])
  // Most acts come through: a test in which nothing is acknowledged would prove nothing.
  expect(acknowledged.size).toBeGreaterThan(kills / 2)
})

async function open(context: BrowserContext, script: string): Promise<Page> {
  for (;;) {
    const page = await context.newPage()
    try {
      await page.goto(`${fixture().origin}/kills`)
      await page.addScriptTag({ content: script })
      return page
    } catch {
      // A tab beside it was killed, and with it the process they shared.
      await page.close()
    }
  }
}

/** As the system does it to a tab that takes too much, or as a person does it. */
async function end(page: Page): Promise<void> {
  if (random(2) === 0) {
    const session = await page.context().newCDPSession(page)
    const crashed = page.waitForEvent('crash')
    session.send('Page.crash').catch(() => {})
    await crashed
  }
  await page.close()
}

function randomCondition(): ProxyCondition {
  const kinds: ProxyCondition[] = [
    { kind: 'fine' },
    { kind: 'fine' },
    { kind: 'slow', delay: 5 + random(40) },
    { kind: 'breaks', direction: random(2) === 0 ? 'up' : 'down', bytes: 200 + random(4_000) },
    { kind: 'answer lost', losing: (line) => line.startsWith('POST') && random(3) === 0 },
    { kind: 'silent' },
    { kind: 'cut' },
  ]
  return kinds[random(kinds.length)] as ProxyCondition
}

const inTab = (page: Page | undefined, name: keyof Tab, ...input: unknown[]): Promise<unknown> =>
  (page as Page).evaluate(
    ([called, args]) => {
      const { tab } = globalThis as unknown as {
        tab: Record<string, (...args: unknown[]) => Promise<unknown>>
      }
      return tab[called]?.(...args)
    },
    [name, input] as const,
  )

/** Whole numbers below `n`, the same for the same seed (a linear congruential generator). */
function seeded(seed: number): (n: number) => number {
  let state = seed >>> 0
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}
