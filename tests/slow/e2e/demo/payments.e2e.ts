import { expect, type Page, test } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import {
  cutOff,
  largeText,
  smallTargets,
  usualText,
} from '../../../e2e/helpers/page/layout-checks.ts'
import {
  acceptJob,
  fillRequest,
  kofi,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { inTheme } from '../../../e2e/helpers/page/theme.ts'
import { become, demoHost, openDemo, watchStrays } from '../../../e2e/helpers/server/demo-host.ts'

const host = demoHost()
test.beforeEach(({ context }) => watchStrays(context, host()))
// The demo requests nothing but files of its own folder.
test.afterEach(() => expect(host().strays).toEqual([]))

const inbox = (page: Page) => page.getByRole('dialog', { name: 'SMS inbox' })

/** Requests as the guest, who pays by the provider. */
async function request(page: Page, item: string): Promise<string> {
  await openDemo(page, host(), 'send')
  await page.getByRole('button', { name: /^Demo: you are/ }).click()
  await page.getByRole('dialog').getByText('By a provider').click()
  await page.keyboard.press('Escape')
  const phone = await fillRequest(page, { item, offer: '60' }, kofi)
  await submitRequest(page)
  return phone
}

/** Opens the inbox once the prompt has come, and returns it. */
async function prompted(page: Page, phone: string) {
  await page.getByRole('button', { name: 'SMS: 1 new' }).click()
  const prompt = inbox(page).getByRole('listitem')
  await expect(prompt).toContainText(`Approve ₵60 on ${phone}`)
  return prompt
}

/** The open sheet in both themes, at 320 px with text of 200 %, and on a desktop. */
async function looksRight(page: Page, name: string): Promise<void> {
  const usual = page.viewportSize()
  for (const [width, percent] of [
    [usual?.width ?? 360, 100],
    [320, 200],
    [1280, 100],
  ] as const) {
    await page.setViewportSize({ width, height: 740 })
    await largeText(page, percent)
    expect(await smallTargets(page)).toEqual([])
    // The bar has no room for a name then; its button names the person all the same.
    expect((await cutOff(page)).filter((fault) => !/^STRONG "(Esi|Yaw) /.test(fault))).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await inTheme(page, colorScheme)
      expect(await axeViolations(page, { colorScheme, within: 'dialog' })).toEqual([])
      await screenshot(page, `${name}-${width}-${colorScheme}`)
    }
  }
  await usualText(page)
  await inTheme(page, 'light')
  if (usual) await page.setViewportSize(usual)
}

test('R173: by a provider, a job is on offer once its prompt was approved in the inbox, also after a reload and in another tab', async ({
  page,
  context,
}) => {
  const phone = await request(page, 'Wax print')
  const prompt = await prompted(page, phone)
  await looksRight(page, 'demo-prompt')
  await page.reload()
  const other = await context.newPage()
  await other.goto(host().home)
  await prompted(other, phone)
  await other.close()
  await prompted(page, phone)
  await prompt.getByRole('button', { name: 'Approve the prompt' }).click()
  await expect(prompt).toBeHidden()
  await page.keyboard.press('Escape')

  await become(page, 'Driver')
  await acceptJob(page, 'Wax print')
  await page.getByRole('button', { name: /^Demo: you are/ }).click()
  await looksRight(page, 'demo-menu')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await page
    .getByRole('dialog', { name: 'Begin the demo anew?' })
    .getByRole('button', { name: 'Reset' })
    .click()
  await page.waitForURL(host().home)
  await page.getByRole('button', { name: 'SMS: no new texts' }).click()
  await expect(inbox(page).getByLabel('Directly')).toBeChecked()
})
