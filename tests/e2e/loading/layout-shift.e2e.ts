import { expect, type Page, test } from '@playwright/test'
import { takeShifts, throttle, watchShifts } from '../helpers/page/layout-shift.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'
import { people, type Screen, signIn } from './screens.ts'

/*
 * Nothing moves while a screen loads, on a network on which the page, its scripts and its rows come one
 * after the other. The screens are a table (screens.ts).
 */

const fixture = serverFixture()
const api = serverApi(fixture)
test.use({ serviceWorkers: 'block' })

/** The sum of all shifts of a screen; above 0.1 a page is called unsteady. */
const most = 0.02
const slow = { latency: 150, kilobitsPerSecond: 2_000 }
/** Milliseconds after which Home's introduction has come and the last rows have been drawn. */
const settled = 900

let all: Awaited<ReturnType<typeof people>>
test.beforeAll(async () => {
  all = await people(api)
})

for (const size of [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
])
  test(`Nothing moves while a screen loads, ${size.width} wide`, async ({ browser }) => {
    test.setTimeout(300_000)
    const unsteady: string[] = []
    for (const person of all) {
      const context = await browser.newContext({ viewport: size, serviceWorkers: 'block' })
      const page = await context.newPage()
      await signIn(page, fixture().origin, person)
      await watchShifts(page)
      await throttle(page, slow)
      for (const screen of person.screens) {
        await page.goto(fixture().origin + screen.path)
        await check(page, screen, `${person.name} opens ${screen.path}`)
      }
      await page.goto(fixture().origin)
      await page.waitForTimeout(settled)
      await takeShifts(page)
      for (const screen of person.screens) {
        await goTo(page, screen.path)
        await check(page, screen, `${person.name} goes to ${screen.path}`)
      }
      await context.close()
    }
    expect(unsteady.join('\n\n')).toBe('')

    async function check(page: Page, { shown }: Screen, what: string) {
      await shown(page)
      await page.waitForTimeout(settled)
      const { sum, culprits } = await takeShifts(page)
      if (sum >= most) unsteady.push(`${what}: ${sum.toFixed(3)}\n${culprits}`)
    }
  })

/** Navigates as a link does, but without a click: what a click moves does not count. */
const goTo = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
