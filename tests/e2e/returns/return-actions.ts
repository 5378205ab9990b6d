import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import type { BodyOf } from '#contract/queries.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { nextStep } from '../helpers/page/page-actions.ts'
import type { Account, ServerApi } from '../helpers/server/server-api.ts'
import type { ServerFixture } from '../helpers/server/server-fixture.ts'

/* What the tests of endings do again and again. */

export type Trip = { sender: Account; driver: Account; made: Delivery }
export type Reached = 'Accepted' | 'Picked Up' | 'attempted' | 'Returning' | 'Delivered'

let trips = 0

/** A delivery brought this far by the API. Its sender and driver are new ones unless they are given. */
export async function tripTo(
  api: ServerApi,
  reached: Reached,
  more: Partial<BodyOf<'createDelivery'>> = {},
  people: Partial<Pick<Trip, 'sender' | 'driver'>> = {},
): Promise<Trip> {
  trips += 1
  const sender = people.sender ?? (await api.createAccount('Ama Sender', 'sender'))
  const driver = people.driver ?? (await api.createDriver('Kofi Driver'))
  const made = await api.createDelivery(sender, { itemDescription: `Parcel ${trips}`, ...more })
  const trip = { sender, driver, made }
  await bringTo(api, trip, reached)
  return trip
}

async function bringTo(api: ServerApi, { driver, made }: Trip, reached: Reached) {
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
  if (reached === 'Returning') return bringToReturn(api, { driver, made })
  await api.ask('reportAttempt', { token, id, body: { reason: 'absent' } })
}

/** From Picked Up to the way back to the sender. */
async function bringToReturn(
  api: ServerApi,
  { driver: { token }, made: { ID: id } }: Pick<Trip, 'driver' | 'made'>,
): Promise<void> {
  await api.ask('reportAttempt', { token, id, body: { reason: 'absent' } })
  await endWait(api, id)
  await api.ask('startReturn', { token, id, body: {} })
}

/** For the server the wait after an attempt is over (R103). */
export const endWait = (api: ServerApi, id: string) =>
  api.inDatabase((client) =>
    client.query(`update deliveries set return_from = now() - interval '1 second' where id = $1`, [
      id,
    ]),
  )

/**
 * This person's phone at the delivery, with a clock that the test moves. A phone that is to go offline
 * needs its worker: `serviceWorkers: 'allow'`.
 */
export async function atRoom(
  browser: Browser,
  api: ServerApi,
  { origin }: Pick<ServerFixture, 'origin'>,
  person: Account,
  { ID }: Pick<Delivery, 'ID'>,
  options: BrowserContextOptions & { clock?: Date } = {},
): Promise<Page> {
  const page = await openPhone(browser, api, person, { origin, clock: true, ...options })
  await navigateTo(page, `/delivery/${ID}`)
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

/** The ten seconds in which the last tap can be undone pass (R99). */
export async function undoOver(page: Page): Promise<void> {
  await expect(undo(page)).toBeVisible()
  await page.clock.fastForward(10_000)
  await expect(undo(page)).toHaveCount(0)
}
