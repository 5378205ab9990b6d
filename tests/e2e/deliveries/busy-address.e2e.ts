import { expect } from '@playwright/test'
import { v7 } from 'uuid'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { codeShown, fillRequest, kofi, submitRequest } from '../helpers/page/page-actions.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* A phone behind an address that many share, whose limits the others have used up (R143). */

const fixture = serverFixture({ env: { LIMITS: '{"guestRequests": 1, "uploads": 1}' } })
const api = serverApi(fixture)

test('S68: a guest’s request goes through by itself: the phone solves challenges in Web Workers, and nobody sees it', async ({
  browser,
}) => {
  const body = {
    itemDescription: 'Somebody else’s',
    senderName: 'Yaw',
    senderPhone: '0244555009',
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    offer: 60,
    recipientName: 'Esi Mensah',
    recipientPhone: '0550000001',
    itemPhoto: await api.uploadPhoto(),
  }
  await api.ask('createGuestDelivery', { key: v7(), body })
  const page = await openPhone(browser, api, undefined, { origin: fixture().origin })
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(new URL(worker.url()).pathname))
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() === 429) refused.push(new URL(answer.url()).pathname)
  })
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Basket', offer: '45.50' }, kofi)
  await submitRequest(page)
  await codeShown(page)
  await expect(page.getByText('Too many')).toHaveCount(0)
  expect(workers.every((path) => /^\/assets\/worker-[\w-]+\.js$/.test(path))).toBe(true)
  expect(workers.length).toBeGreaterThanOrEqual(2)
  expect(refused).toEqual(['/api/images/upload', '/api/guest/deliveries'])
})
