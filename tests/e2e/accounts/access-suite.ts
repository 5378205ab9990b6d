import { expect, type Page } from '@playwright/test'
import { admin } from '../../helpers/server/app-server.ts'
import { expectAccessible } from '../helpers/page/expect-accessible.ts'
import { smallTargets } from '../helpers/page/layout-checks.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { type ServerApi, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

export type Screen = {
  /** `:carried`, `:open` are deliveries, `:dispute` and `:sender` what the carried one has. */
  path: string
  heading: string | RegExp
  /** A button that opens a sheet or shows the errors of a form, and a text that is seen then. */
  press?: [button: string, shown: string]
}

export type Person = 'visitor' | 'sender' | 'driver' | 'waiting driver' | 'admin'

const phone = { width: 360, height: 740 }

/** Tests that these screens are accessible, one test for each person. */
export function accessSuite(screens: Partial<Record<Person, readonly Screen[]>>) {
  const fixture = serverFixture()
  const api = serverApi(fixture)
  let made: Awaited<ReturnType<typeof prepare>>
  test.beforeAll(async () => {
    made = await prepare(api)
  })
  for (const [person, shown] of Object.entries(screens) as [Person, readonly Screen[]][])
    test(`Accessible for the ${person}`, async ({ browser }) => {
      // Each screen takes some seconds on a slow machine.
      test.setTimeout(60_000 + shown.length * 20_000)
      const { origin } = fixture()
      const page = await openPhone(browser, api, made.people[person], { origin, viewport: phone })
      for (const screen of shown) {
        const path = screen.path.replace(/:(\w+)/, (_, name: string) => made.ids[name] ?? '')
        await show(page, { ...screen, path })
        const name = [person, screen.path, ...(screen.press ?? [])].join(' ')
        await expectAccessible(page, name)
        if (person !== 'admin') expect.soft(await smallTargets(page), name).toEqual([])
        if (screen.press) await page.keyboard.press('Escape')
      }
      await page.context().close()
    })
  return { fixture, api }
}

async function show(page: Page, { path, heading, press }: Screen) {
  // In between a screen that shares no heading with another.
  await navigateTo(page, '/nowhere')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await navigateTo(page, path)
  await expect(page.getByRole('heading', { name: heading, exact: true }).first()).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
  if (!press) return
  const [button, shown] = press
  await page.getByRole('button', { name: button, exact: true }).click()
  await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible()
}

async function prepare(api: ServerApi) {
  const sender = await api.createAccount('Abena Asante', 'sender')
  const driver = await api.createDriver('Ama Driver')
  const efua = await api.createAccount('Efua Ofori', 'sender')
  const { ID: carried } = await api.createDelivery(sender, {
    itemDescription: 'Laptop',
    offer: 120.5,
  })
  await api.acceptDelivery(driver, carried)
  const { token } = driver
  await api.ask('changeStatus', { token, id: carried, body: { status: 'Picked Up' } })
  const { ID: open } = await api.createDelivery(efua, { itemDescription: 'Medication' })
  const { dispute } = await api.ask('createDispute', {
    token: sender.token,
    body: { deliveryId: carried, issue: 'Late', type: 'sender_issue', priority: 'medium' },
  })
  const ids: Record<string, string> = { carried, open, dispute: dispute.ID, sender: sender.id }
  return {
    ids,
    people: {
      visitor: undefined,
      sender,
      driver,
      'waiting driver': await api.createAccount('Kwesi', 'driver'),
      admin: await api.ask('login', { body: admin }),
    },
  }
}
