import { expect } from '@playwright/test'
import { appOpened } from '../helpers/page/app-opened.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

const fixture = serverFixture()

test('R82: The introduction appears half a second after the first visit, and not again once dismissed', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto(fixture().origin)
  const introduction = page.getByRole('complementary', { name: 'Introduction' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(introduction).toBeHidden()
  await page.clock.fastForward(500)
  await introduction.getByRole('button', { name: 'Dismiss' }).click()
  await expect(introduction).toBeHidden()
  await page.clock.fastForward(300)
  await page.reload()
  await appOpened(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.clock.fastForward(5_000)
  await expect(introduction).toBeHidden()
})
