import { expect, type Locator } from '@playwright/test'
import sharp from 'sharp'
import { readHandoverLink } from '#domain/deliveries/handover/handover-link.ts'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  codeShown,
  copied,
  fillRequest,
  storedRows,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* The recipient opens the link that the sender shares: no account, nothing of the app. */

const fixture = serverFixture()
const api = serverApi(fixture)

/** Expects a QR code to be black on white in a browser that darkens every page itself. */
async function readableInForcedDark(qr: Locator) {
  const session = await qr.page().context().newCDPSession(qr.page())
  await session.send('Emulation.setAutoDarkModeOverride', { enabled: true })
  // Ten pixels for each of its 49 modules: the first four are the border, and the corner's dark square begins with the fifth.
  const legible = async () => {
    const image = sharp(await qr.screenshot()).resize(490, 490)
    const pixels = await image.greyscale().raw().toBuffer()
    const [border = 0, corner = 255] = [1, 4].map((module) => pixels[(module * 10 + 5) * 491])
    return border > 240 && corner < 60
  }
  // The toast of the copied link may still be over it.
  await expect.poll(legible).toBe(true)
  await session.send('Emulation.setAutoDarkModeOverride', {})
}

test('R110, R111: the sender shares the link by WhatsApp, SMS and copy, and shows the code itself; on the same phone it opens the recipient’s page', async ({
  browser,
}) => {
  const { origin } = fixture()
  const ama = await api.createAccount('Ama Owusu', 'sender')
  const sender = await openPhone(browser, api, ama, {
    origin: `${origin}/send`,
    serviceWorkers: 'allow',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await fillRequest(sender, { item: 'Wax print' })
  const id = await submitRequest(sender)
  await codeShown(sender)
  await sender.getByRole('button', { name: 'Copy link' }).click()
  const link = await copied(sender)
  const [drawn] = (await storedRows(sender, 'handovers')) as { secret: string }[]
  const { deliveryCode } = await api.deliveryNamed('Wax print')
  expect(readHandoverLink(link)).toEqual({ id, secret: drawn?.secret, code: deliveryCode })
  expect(link.startsWith(`${origin}/h/`)).toBe(true)
  for (const name of ['WhatsApp', 'SMS']) {
    const href = await sender.getByRole('link', { name, exact: true }).first().getAttribute('href')
    expect(decodeURIComponent(`${href}`)).toContain(link)
  }
  await sender.getByRole('button', { name: 'Show QR' }).click()
  const shown = sender.getByRole('img', { name: 'QR code of this delivery' })
  await expect(shown).toBeVisible()
  await screenshot(sender, 'recipient-1-senders-qr')
  await readableInForcedDark(shown)

  const page = await sender.context().newPage()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Waiting for a driver' })).toBeVisible()
  await sender.context().close()
})
