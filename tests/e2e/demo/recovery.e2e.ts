import { expect, test } from '@playwright/test'
import { codeShown, fillRequest, kofi, submitRequest } from '../helpers/page/page-actions.ts'
import { demoHost, openDemo, watchStrays } from '../helpers/server/demo-host.ts'

/* A guest of the demo loses a delivery and finds it with the code from the inbox. */

const host = demoHost()
test.beforeEach(({ context }) => watchStrays(context, host()))
test.afterEach(() => expect(host().strays).toEqual([]))

test('R109: in the demo the code of a guest who looks for a delivery is in the inbox', async ({
  page,
}) => {
  await openDemo(page, host(), 'send')
  await fillRequest(page, { item: 'Calabash' }, kofi)
  const id = await submitRequest(page)
  await codeShown(page)
  await page.goto(`${host().home}auth?step=guest`)
  await page.getByLabel('Your phone number').fill(kofi.phone)
  await page.getByRole('button', { name: 'Send Code' }).click()
  await page.getByRole('button', { name: 'SMS: 1 new' }).click()
  const inbox = page.getByRole('dialog', { name: 'SMS inbox' })
  await expect(inbox.getByRole('listitem').first()).toContainText(`To ${kofi.phone}`)
  const copy = inbox.getByRole('button', { name: /^Copy \d{6}$/ }).first()
  const code = (await copy.textContent())?.replace(/\D/g, '') ?? ''
  await page.keyboard.press('Escape')
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'Get Deliveries' }).click()
  await page.waitForURL(`**/delivery/${id}`)
  await codeShown(page)
})
