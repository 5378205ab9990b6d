import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { expectAccessible } from '../../../e2e/helpers/page/expect-accessible.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { offline } from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

test('R182: A driver sees what they earned by day and week, where it is, offline too, and as a file', async ({
  browser,
}) => {
  const { origin } = fixture()
  const yaw = await api.createDriver('Yaw Earns')
  for (const [itemDescription, offer] of [
    ['Kente cloth', 40],
    ['Documents', 25.5],
    ['Laptop', 60],
  ] as const) {
    const ama = await api.createAccount('Ama Mensah', 'sender')
    const made = await api.createDelivery(ama, { itemDescription, offer })
    await api.completeDelivery(yaw, made)
    if (itemDescription === 'Laptop') continue
    const tip = itemDescription === 'Documents' ? 5 : 0
    const body = { status: 'Approved' as const, tip, paidBy: 'momo' as const }
    await api.ask('changeStatus', { token: ama.token, id: made.ID, body })
    if (tip > 0) await api.ask('reportUnpaid', { token: yaw.token, id: made.ID })
  }
  const page = await openPhone(browser, api, yaw, { origin, serviceWorkers: 'allow' })
  await navigateTo(page, '/profile')
  await page.getByRole('link', { name: 'Earnings' }).click()
  const sums = page.getByRole('region', { name: 'Overview' })
  await expect(sums).toContainText('TodayGH₵ 130.50')
  await expect(sums).toContainText('This weekGH₵ 130.50')
  await expect(sums).toContainText('Paid to youGH₵ 40.00')
  await expect(sums).toContainText('Waiting for approvalGH₵ 60.00')
  await expect(sums).toContainText('Not yet paidGH₵ 30.50')
  await expect(sums).toContainText('offers ₵125.50, tips ₵5. You earned ₵130.50.')
  const jobs = page.getByRole('listitem')
  await expect(jobs.filter({ hasText: 'Laptop' })).toContainText('Waiting for approval')
  await expect(jobs.filter({ hasText: 'Kente' })).toContainText('Paid by the sender')
  await expect(jobs.filter({ hasText: 'Documents' })).toContainText('Offer ₵25.50 + tip ₵5')
  await expectAccessible(page, 'earnings')

  await offline(page)
  await page.reload()
  await expect(sums).toContainText('TodayGH₵ 130.50')
  await expect(page.getByText('Offline · updated')).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^soma-earnings-\d{4}-\d\d-\d\d\.csv$/)
  expect(await readFile(await file.path(), 'utf8')).toContain(
    'Documents,Osu,Tema,25.50,5.00,0.00,30.50,Not yet paid',
  )
  // Each job opens, and Deliveries leads here, too.
  await jobs.filter({ hasText: 'Kente' }).getByRole('link').click()
  await expect(page.getByText('GH₵ 40.00').first()).toBeVisible()
  await navigateTo(page, '/deliveries')
  await page.getByRole('link', { name: 'See by day and week' }).click()
  await expect(page.getByRole('heading', { name: 'This week' })).toBeVisible()
  await page.context().close()
})
