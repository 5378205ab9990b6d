import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import {
  chooseTile,
  codeShown,
  entry,
  fillRequest,
  kofi,
  offline,
  online,
  pill,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* Unsent entries: shown, exported, cancelled, edited, and handled at logout. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({
  origin: `${fixture().origin}/send`,
  clock: true,
  serviceWorkers: 'allow' as const,
})

async function writeDraft(page: Page, item: string) {
  await navigateTo(page, '/send')
  await chooseTile(page, 'Other')
  await page.getByLabel('Describe the item').fill(item)
  await navigateTo(page, '/outbox')
}

test('S28, S30, S32: unsent requests and the draft are shown, exported, cancelled, corrected and sent once', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, at())
  await expect(pill(page)).toBeHidden()
  await offline(page)
  await fillRequest(page, { item: 'Standing fan', seed: 21 }, kofi)
  await submitRequest(page)
  await expect(pill(page)).toHaveText('Offline · 1 waiting')
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Two chiars', seed: 24 }, kofi)
  await submitRequest(page)
  await expect(pill(page)).toHaveText('Offline · 2 waiting')
  await writeDraft(page, 'A tab')

  const [fan, chairs] = [entry(page, 'Request: Standing fan'), entry(page, 'Request: Two chiars')]
  const draft = entry(page, 'Draft of Request: A tab')
  await test.step('The outbox lists them', async () => {
    await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'Offline' }).last()).toBeVisible()
    await expect(fan).toContainText('Not sent yet')
    await expect(draft).toContainText('Draft')
    // A photo and its request are one thing that the person did.
    await expect(page.getByRole('article')).toHaveCount(3)
    await screenshot(page, 'outbox-1-two-waiting')
  })

  await test.step('They are exported with their photos', async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'More for the outbox' }).click()
    await page.getByRole('button', { name: 'Export' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^soma-unsent-\d{4}-\d\d-\d\d\.json$/)
    const saved = JSON.parse(readFileSync(await file.path(), 'utf8'))
    expect(saved.items).toHaveLength(4)
    expect(saved.items[1]).toMatchObject({ title: 'Standing fan', state: 'waiting' })
    expect(saved.draft).toMatchObject({ itemDescription: 'A tab' })
    expect(Object.values(saved.photos)[0]).toMatch(/^data:image\/(jpeg|png);base64,/)
  })

  await test.step('One is cancelled after a confirmation', async () => {
    await expect(fan.getByRole('button', { name: 'Cancel this request' })).toBeHidden()
    await fan.getByRole('button', { name: 'More' }).click()
    await fan.getByRole('button', { name: 'Cancel this request' }).click()
    const question = page.getByRole('dialog', { name: 'Cancel this request?' })
    await expect(question).toContainText('It won’t be sent.')
    await screenshot(page, 'outbox-4-take-back-dialog')
    await question.getByRole('button', { name: 'Not now' }).click()
    await expect(fan).toContainText('Not sent yet')
    await fan.getByRole('button', { name: 'Cancel this request' }).click()
    await question.getByRole('button', { name: 'Cancel this request' }).click()
    await expect(fan).toContainText('Cancelled')
    await expect(pill(page)).toHaveText('Offline · 1 waiting')
  })

  await test.step('The other is put back into the form in place of the draft, and corrected', async () => {
    const described = page.getByLabel('Describe the item')
    await chairs.getByRole('button', { name: 'Edit & resend' }).click()
    const question = page.getByRole('dialog', { name: 'Replace your unsent draft?' })
    await expect(question).toContainText('“A tab” was not submitted')
    await screenshot(page, 'outbox-replace-the-draft')
    await question.getByRole('button', { name: 'Not now' }).click()
    await expect(draft).toBeVisible()
    await chairs.getByRole('button', { name: 'Edit & resend' }).click()
    await question.getByRole('button', { name: 'Replace' }).click()
    await expect(described).toHaveValue('Two chiars')
    await expect(page.getByRole('img', { name: 'Your item' })).toBeVisible()
    await described.fill('Two chairs')
    await submitRequest(page)
  })

  await test.step('It alone is sent once there is a network', async () => {
    await online(page)
    await codeShown(page)
    await expect(pill(page)).toBeHidden()
    expect(await api.deliveriesNamed('Standing fan')).toEqual([])
    expect(await api.deliveriesNamed('Two chiars')).toEqual([])
    expect(await api.deliveriesNamed('Two chairs')).toHaveLength(1)
  })

  await test.step('A draft is discarded', async () => {
    await writeDraft(page, 'A stool')
    await expect(entry(page, 'Requested: Two chairs')).toContainText('Sent')
    const stool = entry(page, 'Draft of Request: A stool')
    await stool.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await expect(stool).toBeHidden()
    await expect(page.getByRole('button', { name: 'More for the outbox' })).toBeHidden()
  })
  await page.context().close()
})
