import { type Browser, expect, type Page } from '@playwright/test'
import type { BodyOf } from '#contract/queries.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { openPhone } from '../helpers/page/open-phone.ts'
import { nextStep } from '../helpers/page/page-actions.ts'
import type { Account, ServerApi } from '../helpers/server/server-api.ts'
import type { ServerFixture } from '../helpers/server/server-fixture.ts'

/* What the tests of the exits do again and again. */

export type Trip = { sender: Account; driver: Account; made: Delivery }
export type Reached = 'Accepted' | 'Picked Up' | 'attempted' | 'Returning' | 'Delivered'

let trips = 0

/** A delivery of a sender and a driver of its own, brought this far by the API. */
export async function tripTo(
  api: ServerApi,
  reached: Reached,
  more: Partial<BodyOf<'createDelivery'>> & { wait?: number } = {},
): Promise<Trip> {
  const { wait = 0, ...about } = more
  trips += 1
  const sender = await api.createAccount('Ama Sender', 'sender')
  const driver = await api.createDriver('Kofi Driver')
  const made = await api.createDelivery(sender, { itemDescription: `Parcel ${trips}`, ...about })
  const trip = { sender, driver, made }
  await bringTo(api, trip, reached, wait)
  return trip
}

/** `wait`: milliseconds between the attempt and the return. */
async function bringTo(api: ServerApi, trip: Trip, reached: Reached, wait: number) {
  const { driver, made } = trip
  const { token } = driver
  const id = made.ID
  await api.acceptDelivery(driver, id)
  if (reached === 'Accepted') return
  await api.ask('changeStatus', { token, id, body: { status: 'Picked Up' } })
  if (reached === 'Picked Up') return
  if (reached === 'Delivered') {
    const code = made.deliveryCode ?? ''
    await api.ask('completeDelivery', { token, id, body: { code } })
    return
  }
  await api.ask('reportAttempt', { token, id, body: { reason: 'absent' } })
  if (reached === 'attempted') return
  await new Promise((resolve) => setTimeout(resolve, wait))
  await api.ask('startReturn', { token, id, body: {} })
}

/** This person's phone at the delivery, with its worker installed so that it also works offline. */
export async function atRoom(
  browser: Browser,
  api: ServerApi,
  { origin }: Pick<ServerFixture, 'origin'>,
  person: Account,
  { ID }: Pick<Delivery, 'ID'>,
): Promise<Page> {
  const page = await openPhone(browser, api, person, {
    origin,
    viewport: { width: 360, height: 740 },
    serviceWorkers: 'allow',
  })
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.goto(`${origin}/delivery/${ID}`)
  await expect(nextStep(page).getByRole('heading').first()).toBeVisible()
  return page
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })
export const undo = (page: Page) => page.getByRole('button', { name: 'Undo' })
export const timeline = (page: Page) => page.getByRole('list', { name: 'Delivery status' })

/** Takes one of the reasons, which are drawn as chips. */
export const chooseReason = (page: Page, reason: string) =>
  page.getByRole('dialog').locator('label').filter({ hasText: reason }).click()

/** What leaves ten seconds after it was done has reached the server. */
export const late = { timeout: 25_000 }
