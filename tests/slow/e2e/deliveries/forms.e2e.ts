import { expect, type Locator, type Page } from '@playwright/test'
import { defaultItems } from '#domain/choices.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { storedRows } from '../../../e2e/helpers/page/page-actions.ts'
import { photo } from '../../../e2e/helpers/photo.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* Forms: errors are beside their fields, input is kept, pasted values are converted. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

/** A guest's phone. */
let visitor: Page
test.beforeAll(async ({ browser }) => {
  visitor = await openPhone(browser, api, undefined, at())
})
test.afterAll(() => visitor.context().close())

test('The item types stay in their order when the server’s list has come', async () => {
  const page = visitor
  await navigateTo(page, '/send')
  await expect.poll(async () => (await storedRows(page, 'items')).length).toBeGreaterThan(0)
  const shown = page.getByRole('group', { name: 'Item description' }).getByRole('radio')
  await expect(shown).toHaveCount(defaultItems.length)
  const names = await shown.evaluateAll((radios: HTMLInputElement[]) =>
    radios.map(({ value }) => value),
  )
  expect(names).toEqual(defaultItems)
})

test('R6: An ID number is formatted while typing, or its field shows the format', async () => {
  const page = visitor
  await navigateTo(page, '/auth?tab=signup&role=driver')
  const number = page.getByLabel('ID number')
  await number.focus()
  await expect(number).toHaveValue('GHA-')
  await number.press('Backspace')
  await expect(number).toHaveValue('GHA-')
  await number.blur()
  await expect(number).toHaveValue('')
  await saysWrong(number, 'Please fill out all ID verification fields.')
  await number.pressSequentially('gha12345678')
  await expect(number).toHaveValue('GHA-12345678')
  await number.blur()
  await saysWrong(number, 'Format must be GHA-123456789-0.')
  await number.fill('gha1234567890999')
  await expect(number).toHaveValue('GHA-123456789-0')
  await becomes(number, 'GHA 123 456 789 0', 'GHA-123456789-0')
  await saysWrong(number, undefined)
  await expect(number).toHaveAttribute('inputmode', 'numeric')
  // Corrected in its middle, the caret stays there.
  await number.press('Home')
  for (let at = 0; at < 'GHA-123'.length; at++) await number.press('ArrowRight')
  await number.press('Backspace')
  await number.pressSequentially('99')
  await expect(number).toHaveValue('GHA-129945678-9')
  await number.press('Backspace')
  await expect(number).toHaveValue('GHA-129456789')
  await page.getByLabel('ID type').selectOption('Passport')
  await number.fill('abc1')
  await number.blur()
  await saysWrong(number, 'Format must be A1234567 or AB123456.')
  await number.fill('ab123456')
  await expect(number).toHaveValue('AB123456')
  await saysWrong(number, undefined)
})

test('Each field has its keyboard and autofill attributes', async () => {
  const page = visitor
  const fields: [path: string, label: string, inputmode: string | null, autocomplete: string][] = [
    ['/auth', 'Email or phone number', null, 'username'],
    ['/auth', 'Password', null, 'current-password'],
    ['/auth?tab=signup', 'Full name', null, 'name'],
    ['/auth?tab=signup', 'Phone number', 'numeric', 'tel-national'],
    ['/auth?tab=signup', 'Password', null, 'new-password'],
    ['/auth?step=verify&phone=0244111222', 'Verification code', 'numeric', 'one-time-code'],
    ['/auth?step=forgot', 'Phone number', 'tel', 'tel'],
    ['/auth?step=reset', 'Reset code', 'numeric', 'one-time-code'],
    ['/send?step=3', 'Your name', null, 'name'],
    ['/send?step=3', 'Your phone', 'numeric', 'tel-national'],
    ['/send?step=3', 'Recipient phone', 'numeric', 'off'],
    ['/send?step=3', 'Offer', 'decimal', 'off'],
  ]
  for (const [path, label, inputmode, autocomplete] of fields) {
    await navigateTo(page, path)
    const field = page.getByLabel(label)
    await expect(field).toHaveAttribute('autocomplete', autocomplete)
    if (inputmode) await expect(field).toHaveAttribute('inputmode', inputmode)
  }
})

const pasted = ['0244111222', '+233 (0) 24 411 1222', '00233244111222', '024-411-1222']

test('R62: A code is found in what is pasted, and what filled a form in unseen is read as it is sent', async () => {
  const page = visitor
  await navigateTo(page, '/auth?step=verify&phone=0244111222')
  const code = page.getByLabel('Verification code')
  await becomes(
    code,
    'Soma: your verification code is 123456. It is valid for 10 minutes.',
    '123456',
  )
  await pasteInto(code, '65 43 21')
  await expect(code).toHaveValue('654321')
  await navigateTo(page, '/auth')
  await page.getByLabel('Email').evaluate(fillUnseen, 'nobody@example.com')
  await page.getByLabel('Password').evaluate(fillUnseen, 'a long enough password')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('Please enter your email address or phone number.')).toBeHidden()
  await expect(page.getByText('Invalid email or password.').first()).toBeVisible()
})

test('R8: A phone number pasted in any form becomes ten digits', async () => {
  const page = visitor
  await navigateTo(page, '/send?step=3')
  for (const label of ['Your phone', 'Recipient phone'])
    for (const text of pasted) await becomes(page.getByLabel(label), text)
  await navigateTo(page, '/auth?tab=signup')
  for (const text of pasted) await becomes(page.getByLabel('Phone number'), text)
})

test('An unfinished report is kept when its sheet or its page is closed, until it is sent', async ({
  browser,
}) => {
  const abena = await api.createAccount('Abena Asante', 'sender')
  const made = await api.createDelivery(abena, { itemDescription: 'Wall clock' })
  const page = await openPhone(browser, api, abena, at())
  await navigateTo(page, `/delivery/${made.ID}`)
  const open = () => page.getByRole('button', { name: 'Report an issue' }).click()
  const text = page.getByLabel('What happened?')
  await open()
  await text.fill('Nobody came, and then')
  await page.keyboard.press('Escape')
  await expect(text).toBeHidden()
  await open()
  await expect(text).toHaveValue('Nobody came, and then')
  await page.reload()
  await open()
  await expect(text).toHaveValue('Nobody came, and then')
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(text).toBeHidden()
  await open()
  await expect(text).toHaveValue('')
  await page.context().close()
})

test('A sign-up interrupted by the camera keeps its fields, but for the password', async () => {
  const page = visitor
  await navigateTo(page, '/auth?tab=signup&role=driver')
  await page.getByLabel('Full name').fill('Kwame Tetteh')
  await page.getByLabel('Phone number').fill('0244333444')
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByLabel('ID type').selectOption('Ghana Card')
  await page.getByLabel('ID number').fill('gha1234567890')
  await page.getByLabel('ID photo: Choose photo').setInputFiles(photo(12))
  await expect(page.getByRole('img', { name: 'Your ID' })).toBeVisible()
  await page.goto(`${fixture().origin}/auth?tab=signup`)
  await expect(page.getByRole('radio', { name: 'Driver' })).toBeChecked()
  await expect(page.getByLabel('Full name')).toHaveValue('Kwame Tetteh')
  await expect(page.getByLabel('ID number')).toHaveValue('GHA-123456789-0')
  // Once uploaded it is visible to admins only (R55).
  await expect(page.getByText('Your ID photo is uploaded.')).toBeVisible()
  await expect(page.getByLabel('Password')).toHaveValue('')
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...sessionStorage }, { ...localStorage }]),
  )
  expect(kept).not.toContain('a long enough password')
})

/** Expects the field to be invalid with this error, or to be valid. */
async function saysWrong(field: Locator, words: string | RegExp | undefined) {
  if (words === undefined) return expect(field).not.toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(words)
}

/** Pastes into an empty field and expects this value. */
async function becomes(field: Locator, text: string, value = '0244111222') {
  await field.fill('')
  await pasteInto(field, text)
  await expect(field).toHaveValue(value)
}

/** Pastes as a browser does: unless the page prevents it, cut to the field's maximum length. */
async function pasteInto(field: Locator, text: string) {
  await field.focus()
  await field.evaluate((input: HTMLInputElement, given) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', given)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    if (!input.dispatchEvent(event)) return
    const room = input.maxLength < 0 ? given.length : input.maxLength
    document.execCommand('insertText', false, given.slice(0, room))
  }, text)
}

/** As a password manager that fires no event: not even React hears of it. */
function fillUnseen(input: HTMLElement | SVGElement, text: string) {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
  set?.call(input, text)
}
