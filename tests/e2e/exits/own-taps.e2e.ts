import { type Browser, expect, type Page, test } from '@playwright/test'
import { axeViolations } from '../helpers/page/axe.ts'
import { cutOff, largeText, smallTargets, usualText } from '../helpers/page/layout-checks.ts'
import { openPhone } from '../helpers/page/open-phone.ts'
import {
  card,
  codeShown,
  fillRequest,
  kofi,
  nextStep,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { inTheme } from '../helpers/page/theme.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'
import {
  atRoom,
  button,
  chooseReason,
  inDialog,
  late,
  type Reached,
  type Trip,
  tripTo,
  undo,
} from './exit-actions.ts'

/* Ten seconds to undo one's own taps (R99), and how the exits look. The wait is over at once. */

const fixture = serverFixture({ env: { WAIT_MINUTES: '0' } })
const api = serverApi(fixture)

type Tap = {
  name: string
  from: Reached
  as: 'sender' | 'driver'
  /** On the card of the home screen instead of the delivery's own. */
  isOnCard?: true
  tap: (page: Page) => Promise<unknown>
  /** The status, or what else shows that it has arrived. */
  arrived: { status?: string; attempts?: number; returning?: object }
}

const taps: Tap[] = [
  {
    name: 'pick up',
    from: 'Accepted',
    as: 'driver',
    tap: (page) => button(page, 'Mark as Picked Up').click(),
    arrived: { status: 'Picked Up' },
  },
  {
    name: 'pick up on the card',
    from: 'Accepted',
    as: 'driver',
    isOnCard: true,
    tap: async (page) => {
      await button(page, 'Mark as Picked Up').click()
      await inDialog(page, 'Mark as Picked Up').click()
    },
    arrived: { status: 'Picked Up' },
  },
  {
    name: 'give back',
    from: 'Accepted',
    as: 'driver',
    tap: async (page) => {
      await button(page, 'Give the job back').click()
      await chooseReason(page, "I can't get there in time")
      await inDialog(page, 'Give the job back').click()
    },
    arrived: { status: 'Pending' },
  },
  {
    name: 'cancel',
    from: 'Accepted',
    as: 'sender',
    tap: async (page) => {
      await button(page, 'Cancel delivery').click()
      await inDialog(page, 'Cancel delivery').click()
    },
    arrived: { status: 'Cancelled' },
  },
  {
    name: 'attempt',
    from: 'Picked Up',
    as: 'driver',
    tap: async (page) => {
      await button(page, "I can't deliver").click()
      await chooseReason(page, "They don't want it")
      await inDialog(page, 'Report').click()
    },
    arrived: { attempts: 1 },
  },
  {
    name: 'return',
    from: 'attempted',
    as: 'driver',
    tap: (page) => page.getByRole('button', { name: 'Return the parcel' }).click(),
    arrived: { returning: {} },
  },
  {
    name: 'confirm return',
    from: 'Returning',
    as: 'sender',
    tap: async (page) => {
      await button(page, 'Confirm return').click()
      await inDialog(page, 'Confirm return').click()
    },
    arrived: { status: 'Cancelled' },
  },
  {
    name: 'confirm return on the card',
    from: 'Returning',
    as: 'sender',
    isOnCard: true,
    tap: async (page) => {
      await button(page, 'Confirm return').click()
      await inDialog(page, 'Confirm return').click()
    },
    arrived: { status: 'Cancelled' },
  },
  {
    name: 'approve',
    from: 'Delivered',
    as: 'sender',
    tap: async (page) => {
      await button(page, 'Approve Delivery').click()
      await inDialog(page, 'Approve and pay').click()
    },
    arrived: { status: 'Approved' },
  },
  {
    name: 'approve on the card',
    from: 'Delivered',
    as: 'sender',
    isOnCard: true,
    tap: async (page) => {
      await button(page, 'Confirm and pay').click()
      await inDialog(page, 'Approve and pay').click()
    },
    arrived: { status: 'Approved' },
  },
]

for (const { name, from, as, isOnCard, tap, arrived } of taps)
  test(`R99: ${name} can be undone for ten seconds and leaves after them`, async ({ browser }) => {
    const trip = await tripTo(api, from)
    const page = await open(browser, trip, as, isOnCard)
    const before = await api.deliveryNamed(trip.made.itemDescription)
    await tap(page)
    await undo(page).click()
    await expect(undo(page)).toHaveCount(0)
    await tap(page)
    await expect(undo(page)).toBeVisible()
    if (isOnCard) await screenshot(page, `card-${name.replaceAll(' ', '-')}`)
    expect(await api.deliveryNamed(trip.made.itemDescription)).toEqual(before)
    await expect
      .poll(() => api.deliveryNamed(trip.made.itemDescription), late)
      .toMatchObject(arrived)
    await page.context().close()
  })

async function open(browser: Browser, trip: Trip, as: 'sender' | 'driver', isOnCard = false) {
  if (!isOnCard) return atRoom(browser, api, fixture(), trip[as], trip.made)
  const page = await openPhone(browser, api, trip[as], { origin: fixture().origin })
  await expect(card(page, trip.made.itemDescription)).toBeVisible()
  return page
}

test('R105, R99: A guest confirms the return of their parcel', async ({ browser }) => {
  test.setTimeout(120_000)
  const home = await openPhone(browser, api, undefined, { origin: `${fixture().origin}/send` })
  await fillRequest(home, { item: 'Guest parcel' }, kofi)
  const id = await submitRequest(home)
  await codeShown(home)
  const driver = await api.createDriver('Yaw Driver')
  const { token } = driver
  await api.acceptDelivery(driver, id)
  await api.ask('changeStatus', { token, id, body: { status: 'Picked Up' } })
  await api.ask('reportAttempt', { token, id, body: { reason: 'refused' } })
  await expect(nextStep(home)).toContainText("Yaw couldn't deliver: the recipient refused it", late)
  await api.ask('startReturn', { token, id, body: {} })
  await expect(nextStep(home)).toContainText('Your parcel is coming back', late)
  await expect(home.getByTestId('return-code')).toHaveText(/^\d{5}$/)
  await button(home, 'Confirm return').click()
  await inDialog(home, 'Confirm return').click()
  await expect(undo(home)).toBeVisible()
  await expect(nextStep(home)).toContainText('Your parcel is back with you', late)
  await expect(nextStep(home)).toContainText('Yaw gets ₵60.')
  await home.context().close()
})

const looks: { name: string; from: Reached; as: 'sender' | 'driver'; open?: Tap['tap'] }[] = [
  {
    name: 'give-back',
    from: 'Accepted',
    as: 'driver',
    open: async (page) => {
      await button(page, 'Give the job back').click()
      await chooseReason(page, 'Something else')
      await inDialog(page, 'Give the job back').click()
    },
  },
  {
    name: 'report',
    from: 'Picked Up',
    as: 'driver',
    open: async (page) => {
      await button(page, "I can't deliver").click()
      await inDialog(page, 'Report').click()
    },
  },
  { name: 'waiting', from: 'attempted', as: 'driver' },
  { name: 'attempted', from: 'attempted', as: 'sender' },
  { name: 'returning', from: 'Returning', as: 'driver' },
  { name: 'coming-back', from: 'Returning', as: 'sender' },
  {
    name: 'confirming',
    from: 'Returning',
    as: 'sender',
    open: (page) => button(page, 'Confirm return').click(),
  },
  { name: 'due', from: 'Delivered', as: 'sender' },
]

for (const { name, from, as, open: prepare } of looks)
  test(`The exits are legible, large enough and accessible: ${name}`, async ({ browser }) => {
    const trip = await tripTo(api, from)
    const page = await atRoom(browser, api, fixture(), trip[as], trip.made)
    await prepare?.(page)
    for (const theme of ['light', 'dark'] as const) {
      await inTheme(page, theme)
      expect(await axeViolations(page, { colorScheme: theme })).toEqual([])
      await screenshot(page, `look-${name}-${theme}`)
    }
    await inTheme(page, 'light')
    expect(await smallTargets(page)).toEqual([])
    expect(await cutOff(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    await largeText(page)
    expect(await cutOff(page)).toEqual([])
    await screenshot(page, `look-${name}-320`)
    await usualText(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await screenshot(page, `look-${name}-desktop`)
    await page.context().close()
  })
