import { expect, type Page, test } from '@playwright/test'
import { appOpened } from '../helpers/page/app-opened.ts'
import { takeShifts, throttle, watchShifts } from '../helpers/page/layout-shift.ts'
import { logIn } from '../helpers/page/page-actions.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'
import { people, type Screen, whos } from './screens.ts'

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
const settled = 750

let all: Awaited<ReturnType<typeof people>>
test.beforeAll(async () => {
  all = await people(api)
})

const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]

for (const who of whos)
  for (const viewport of sizes)
    test(`Nothing moves while the screens of ${who} load, ${viewport.width} wide`, async ({
      page,
    }) => {
      const { origin } = fixture()
      const { login, screens } = all[who]
      const unsteady: string[] = []
      await page.setViewportSize(viewport)
      await page.goto(origin)
      if (login) await logIn(page, login)
      await watchShifts(page)
      await throttle(page, slow)
      for (const screen of screens) {
        await page.goto(origin + screen.path)
        await appOpened(page)
        await check(screen, `opening ${screen.path}`)
      }
      await page.goto(origin)
      await appOpened(page)
      await page.waitForTimeout(settled)
      await takeShifts(page)
      for (const screen of screens) {
        await goTo(page, screen.path)
        await check(screen, `going to ${screen.path}`)
      }
      expect(unsteady.join('\n\n')).toBe('')

      async function check({ shown }: Screen, what: string) {
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
