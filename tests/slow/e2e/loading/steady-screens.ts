import { expect, type Page } from '@playwright/test'
import { appOpened } from '../../../e2e/helpers/page/app-opened.ts'
import { takeShifts, throttle, watchShifts } from '../../../e2e/helpers/page/layout-shift.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { people, type Screen, type Who } from './screens.ts'

/** The sum of all shifts of a screen; above 0.1 a page is called unsteady. */
const most = 0.02
const slow = { latency: 150, kilobitsPerSecond: 2_000 }
/** Milliseconds on the phone's clock after which Home's introduction has come and the last rows have been drawn. */
const settled = 750

/**
 * Nothing moves while a screen loads, on a network on which the page, its scripts and its rows come one
 * after the other. The screens of these people are a table (screens.ts).
 */
export function screensAreSteady(whos: readonly Who[]) {
  const fixture = serverFixture()
  const api = serverApi(fixture)
  let all: Awaited<ReturnType<typeof people>>
  test.beforeAll(async () => {
    all = await people(api)
  })

  for (const [at, who] of whos.entries()) {
    // A phone and a desktop by turns.
    const width = at % 2 === 0 ? 360 : 1280
    test(`Nothing moves while the screens of ${who} load, ${width} wide`, async ({ browser }) => {
      const { origin } = fixture()
      const { login, screens } = all[who]
      const unsteady: string[] = []
      const page = await openPhone(browser, api, login, {
        origin,
        clock: true,
        viewport: { width, height: 800 },
      })
      await watchShifts(page)
      await throttle(page, slow)
      for (const screen of screens) {
        await page.goto(origin + screen.path)
        await appOpened(page)
        await check(screen, `opening ${screen.path}`)
      }
      await page.goto(origin)
      await appOpened(page)
      await settle(page)
      await takeShifts(page)
      for (const screen of screens) {
        // Without a click: what a click moves does not count.
        await navigateTo(page, screen.path)
        await check(screen, `going to ${screen.path}`)
      }
      expect(unsteady.join('\n\n')).toBe('')
      await page.context().close()

      async function check({ shown }: Screen, what: string) {
        await shown(page)
        await settle(page)
        const { sum, culprits } = await takeShifts(page)
        if (sum >= most) unsteady.push(`${what}: ${sum.toFixed(3)}\n${culprits}`)
      }
    })
  }

  test('The map of a job has its place before the zones have come from the server', async ({
    browser,
  }) => {
    const { origin } = fixture()
    const { login, screens } = all['a driver with an active job']
    const room = screens.find(({ path }) => path.startsWith('/delivery/')) as Screen
    const viewport = { width: 1280, height: 800 }
    const page = await openPhone(browser, api, login, { origin, viewport })
    await page.goto(origin + room.path)
    await room.shown(page)
    const map = page.getByRole('main').getByRole('img', { name: /^Map\./ })
    await map.waitFor()
    const top = async () => (await page.getByRole('region', { name: 'Sender' }).boundingBox())?.y
    const drawn = await top()
    await page.route('**/api/**', (route) => route.abort())
    await forgetZones(page)
    await page.reload()
    await room.shown(page)
    await settleFrames(page)
    await expect(map).toHaveCount(0)
    expect(await top()).toBe(drawn)
    await page.context().close()
  })
}

/** Empties the zones that this phone has from the server. */
const forgetZones = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('soma')
        opening.onsuccess = () => {
          const work = opening.result.transaction('zones', 'readwrite')
          work.objectStore('zones').clear()
          work.oncomplete = () => {
            opening.result.close()
            resolve()
          }
        }
      }),
  )

/** Lets what is due later come at once, and waits until it is drawn. */
async function settle(page: Page) {
  await page.clock.fastForward(settled)
  await settleFrames(page)
}

const settleFrames = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  })
