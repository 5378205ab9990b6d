import { expect, test } from '@playwright/test'
import { openPhone } from '../helpers/page/open-phone.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* Chromium without a SIM card receives no SMS: what the browser would hand over is read from the server's. */

const fixture = serverFixture()
const api = serverApi(fixture)

test('R62: The code of an SMS fills itself where the browser can read it, and its last line is for this site', async ({
  browser,
}) => {
  const { origin, server } = fixture()
  const ama = await api.createAccount('Ama Sender', 'sender')
  const page = await openPhone(browser, api, undefined, {
    origin,
    prepare: async (page) => {
      await page.exposeFunction('smsArrives', () => server.smsCode(ama.phone))
      await page.addInitScript(() => {
        const { smsArrives } = globalThis as unknown as { smsArrives: () => Promise<string> }
        Object.assign(globalThis, { OTPCredential: class {} })
        navigator.credentials.get = async (options) => {
          const { otp } = options as { otp?: { transport: string[] } }
          if (otp?.transport[0] !== 'sms') return null
          return { id: '', type: 'otp', code: await smsArrives() } as Credential
        }
      })
    },
  })
  await page.goto(`${origin}/auth`)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('Phone number').fill(ama.phone)
  await page.getByRole('button', { name: 'Send Code' }).click()
  const field = page.getByLabel('Reset code')
  await expect(field).toHaveValue(/^\d{6}$/)
  const code = await field.inputValue()
  const sms = server.lines.filter((line) => line.includes(code)).at(-1)
  expect(sms).toContain(`\\n@${new URL(origin).hostname} #${code}`)
  await page.getByLabel('New password').fill('another long password')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByText('Password Reset').first()).toBeVisible()
})
