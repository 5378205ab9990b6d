import { expect, type Page, type Route, test } from '@playwright/test'
import { type Citizen, townHall } from './hall.ts'
import { fillRequest, kofi, submitRequest } from './hands.ts'
import { phoneOf, walk } from './persona.ts'
import { photo } from './photo.ts'
import { freshTown } from './town.ts'

/*
 * Every toast of spec §8 that people other than admins see, with what causes it: provoked for real,
 * or by a server that says no in the words of the row. Admin's own are in the admin area's tests.
 */

const town = freshTown()
const hall = townHall(town)

type Row = { cause: string; title: string; text?: string | RegExp; provoke: () => Promise<unknown> }

let page: Page
let abena: Citizen
let ama: Citizen
let yaw: Citizen
const elsewhere = '019352f0-0000-7000-8000-000000000000'

// Many small stories each.
test.describe.configure({ timeout: 180_000 })
test.beforeAll(async () => {
  abena = await hall.citizen('Abena Asante', 'sender')
  ama = await hall.driver('Ama Driver')
  yaw = await hall.driver('Yaw Driver')
})
test.afterEach(() => page.context().close())

test('What a visitor is told about accounts', async ({ browser }) => {
  page = await phoneOf(browser, hall, undefined, { origin: town().origin })
  await page.goto(`${town().origin}/auth`)
  const password = 'a long enough password'
  const signUp = async (email: string, phone: string) => {
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await page.getByLabel('Full name').fill('Efua Sarpong')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Phone number').fill(phone)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign Up' }).click()
  }
  const verify = async (code: string) => {
    await page.getByLabel('Verification code').fill(code)
    await page.getByRole('button', { name: 'Verify Phone' }).click()
  }
  const resend = () => page.getByRole('button', { name: 'Resend code' }).click()
  const pickId = async (answer?: object) => {
    if (answer) await serverSays('**/images/upload', 400, answer)
    await page.getByLabel('ID photo: Choose photo').setInputFiles(photo(3))
  }
  await tell([
    {
      ...{ cause: 'a wrong password', title: 'Login Failed', text: 'Invalid email or password.' },
      provoke: () => logIn(abena.email, 'not the password'),
    },
    {
      ...{ cause: 'a number of nine digits', title: 'Invalid Phone Number' },
      text: 'Phone number must be exactly 10 digits.',
      provoke: () => signUp('efua@example.com', '024411122'),
    },
    {
      ...{ cause: 'an e-mail that has an account', title: 'Signup Failed' },
      text: 'User with this email already exists.',
      provoke: () => signUp(abena.email, '0244777888'),
    },
    {
      ...{ cause: 'a driver without an ID', title: 'Signup Failed' },
      text: 'Please fill out all ID verification fields.',
      provoke: async () => {
        await page.getByRole('radio', { name: 'Driver' }).check({ force: true })
        await signUp('efua@example.com', '0244777888')
      },
    },
    {
      ...{ cause: 'an ID photo the image provider does not take', title: 'Upload Failed' },
      text: 'Image upload failed',
      provoke: () => pickId({}),
    },
    {
      ...{ cause: 'an ID photo on its way', title: 'Uploading photo...' },
      text: 'Please wait while we upload your photo.',
      provoke: async () => {
        town().road.set({ kind: 'silent' })
        await pickId()
      },
    },
    {
      ...{ cause: 'an ID photo that has arrived', title: 'Photo uploaded!' },
      provoke: async () => {
        town().road.set({ kind: 'fine' })
        await page.reload()
        await pickId()
      },
    },
    {
      ...{ cause: 'a new account', title: 'Signup Successful!' },
      text: 'Your account has been created. Please verify your phone number.',
      provoke: async () => {
        await page.getByRole('radio', { name: 'Sender' }).check({ force: true })
        await signUp('efua@example.com', '0244777888')
      },
    },
    {
      ...{ cause: 'a wrong SMS code', title: 'Verification Failed' },
      text: /not right/,
      provoke: () => verify('000000'),
    },
    { cause: 'asking for another code', title: 'Code Sent', provoke: resend },
    {
      ...{ cause: 'asking for a code when none can be sent', title: 'Resend Failed' },
      text: 'No SMS today.',
      provoke: async () => {
        await serverSays('**/verify/resend', 400, { error: 'No SMS today.' })
        await resend()
      },
    },
    {
      ...{ cause: 'the right SMS code', title: 'Phone Verified' },
      provoke: async () => verify(await town().server.smsCode('0244777888')),
    },
  ])
})

test('What a person who forgot the password is told', async ({ browser }) => {
  page = await phoneOf(browser, hall, undefined, { origin: town().origin })
  await page.goto(`${town().origin}/auth?step=forgot`)
  await tell([
    {
      ...{ cause: 'asking for a reset', title: 'Code Sent' },
      provoke: async () => {
        await page.getByLabel('Phone number').fill(yaw.phone)
        await page.getByRole('button', { name: 'Send Code' }).click()
      },
    },
    {
      ...{ cause: 'code and new password', title: 'Password Reset' },
      provoke: async () => {
        await page.getByLabel('Reset code').fill(await town().server.smsCode(yaw.phone))
        await page.getByLabel('New password').fill('another long password')
        await page.getByRole('button', { name: 'Reset Password' }).click()
      },
    },
    {
      ...{ cause: 'logging in', title: 'Login Successful!', text: 'Welcome back!' },
      provoke: () => logIn(yaw.email, 'another long password'),
    },
  ])
  yaw.token = (
    await hall.ask('login', { body: { email: yaw.email, password: 'another long password' } })
  ).token
})

test('What a guest is told', async ({ browser }) => {
  page = await phoneOf(browser, hall, undefined, {
    origin: town().origin,
    permissions: ['clipboard-write'],
  })
  await page.goto(`${town().origin}/send`)
  const guestPost = '**/api/guest/deliveries'
  const request = () => page.getByRole('button', { name: 'Request Delivery' }).click()
  const fillAllButPhoto = async () => {
    await page.getByLabel('Your phone').fill(kofi.phone)
    await page.getByLabel('Item description').selectOption('Keys')
    await page.getByLabel('Pickup zone').selectOption('Osu')
    await page.getByLabel('Drop-off zone').selectOption('Tema')
    await page.getByLabel('Recipient name').fill('Esi')
    await page.getByLabel('Recipient phone').fill('0550000001')
    await page.getByLabel('Offer').fill('20')
  }
  const again = async () => {
    await page.getByRole('button', { name: 'Edit & resend' }).click()
    await request()
  }
  await tell([
    {
      ...{ cause: 'the same zone twice', title: 'Invalid Zones' },
      text: 'Pickup and drop-off zones cannot be the same.',
      provoke: async () => {
        await fillRequest(page, { item: 'Drum', from: 'Osu', to: 'Osu' }, kofi)
        await request()
      },
    },
    {
      ...{ cause: 'a server that says no', title: 'Error', text: 'Not today.' },
      provoke: async () => {
        await serverSays(guestPost, 400, { error: 'Not today.' })
        await page.getByLabel('Drop-off zone').selectOption('Tema')
        await request()
      },
    },
    {
      ...{ cause: 'a server that says no without words', title: 'Error' },
      text: 'Failed to create delivery',
      provoke: async () => {
        await serverSays(guestPost, 400, {})
        await again()
      },
    },
    {
      ...{ cause: 'an answer without an ID', title: 'Error' },
      text: 'Failed to create delivery - invalid response',
      provoke: async () => {
        const { ID: _, ...lacking } = await hall.delivery(abena, { itemDescription: 'Model' })
        await serverSays(guestPost, 201, { delivery: lacking, guestToken: 'x' })
        await again()
      },
    },
    {
      ...{ cause: 'a request that has arrived', title: 'Delivery Created!' },
      text: 'Your guest delivery has been created successfully.',
      provoke: again,
    },
    {
      ...{ cause: 'copying the code', title: 'Copied' },
      provoke: () => page.getByRole('button', { name: 'Copy', exact: true }).click(),
    },
    {
      ...{ cause: 'an issue reported', title: 'Issue Reported' },
      provoke: async () => {
        await page.getByRole('button', { name: 'Report an issue' }).click()
        await page.getByLabel('What happened?').fill('Nobody came.')
        await page.getByRole('button', { name: 'Send report' }).click()
      },
    },
    {
      ...{ cause: 'opening Send while one is under way', title: 'Active Guest Delivery' },
      text: 'You have an active delivery. Click to track it.',
      provoke: () => walk(page, '/send'),
    },
    {
      ...{
        cause: 'no photo',
        title: 'Photo Required',
        text: 'Please upload a photo of your item.',
      },
      provoke: async () => {
        await page.getByLabel('Your name').fill(kofi.name)
        await fillAllButPhoto()
        await request()
      },
    },
    {
      ...{ cause: "somebody else's delivery", title: 'Access Denied' },
      text: "This delivery doesn't belong to your guest session.",
      provoke: () => walk(page, `/delivery/${elsewhere}`),
    },
    {
      ...{ cause: 'a delivery without a number', title: 'Error', text: 'Invalid delivery ID' },
      provoke: () => walk(page, '/delivery/'),
    },
    { cause: 'opening Drive', title: 'Login Required', provoke: () => walk(page, '/drive') },
  ])
})

test('What a guest without a record is told', async ({ browser }) => {
  page = await phoneOf(browser, hall, undefined, { origin: town().origin })
  await tell([
    {
      ...{ cause: 'a room with no record', title: 'Session Expired' },
      provoke: () => walk(page, `/delivery/${elsewhere}`),
    },
  ])
})

test('What a sender is told', async ({ browser }) => {
  const efua = await hall.citizen('Efua Ofori', 'sender')
  const fails = (on: Page) => on.route('**/api/sender/deliveries*', failing)
  page = await phoneOf(browser, hall, efua, { origin: town().origin, prepare: fails })
  const post = '**/api/sender/deliveries'
  const edit = async (to: string) => {
    await page.getByRole('button', { name: 'Edit phone' }).click()
    await page.getByLabel('Phone').fill(to)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await tell([
    {
      ...{ cause: 'a list that cannot be had', title: 'Error' },
      text: 'Failed to load your deliveries',
      provoke: () => walk(page, '/profile'),
    },
    {
      cause: 'opening Drive',
      title: 'Driver Access Required',
      provoke: async () => {
        await page.unroute('**/api/sender/deliveries*')
        await walk(page, '/drive')
      },
    },
    {
      ...{ cause: "opening the driver's page", title: 'Access Denied' },
      text: 'Access denied. Driver account required.',
      provoke: () => walk(page, '/driver-pending'),
    },
    {
      ...{ cause: "somebody else's delivery", title: 'Error' },
      text: 'Failed to load delivery details',
      provoke: () => walk(page, `/delivery/${elsewhere}`),
    },
    {
      ...{ cause: 'a server that says no', title: 'Request Failed', text: 'Not today.' },
      provoke: async () => {
        await serverSays(post, 400, { error: 'Not today.' })
        await walk(page, '/send')
        await fillRequest(page, { item: 'Drum' })
        await submitRequest(page)
      },
    },
    {
      ...{ cause: 'a server that says no without words', title: 'Request Failed' },
      text: 'Failed to create delivery request',
      provoke: async () => {
        await serverSays(post, 400, {})
        await page.getByRole('button', { name: 'Edit & resend' }).click()
        await submitRequest(page)
      },
    },
    {
      ...{ cause: 'a request that has arrived', title: 'Delivery Requested', text: /Drum/ },
      provoke: async () => {
        await page.getByRole('button', { name: 'Edit & resend' }).click()
        await submitRequest(page)
      },
    },
    {
      ...{ cause: 'cancelling', title: 'Status Updated', text: /Cancelled/ },
      provoke: async () => {
        await page.getByRole('button', { name: 'Cancel delivery' }).click()
        const sure = page.getByRole('dialog').getByRole('button', { name: 'Cancel delivery' })
        await sure.click()
      },
    },
    {
      ...{ cause: 'a new number of nine digits', title: 'Invalid Phone Number' },
      text: 'Phone number must be exactly 10 digits.',
      provoke: async () => {
        await walk(page, '/profile')
        await edit('024411122')
      },
    },
    {
      ...{ cause: 'a new number', title: 'Phone Updated', text: /0244555666/ },
      provoke: async () => {
        await page.getByRole('button', { name: 'Cancel' }).click()
        await edit('0244555666')
      },
    },
    {
      ...{ cause: 'logging out', title: 'Logged out' },
      provoke: async () => {
        await page.getByRole('button', { name: 'Logout' }).click()
      },
    },
  ])
})

test('What a driver not approved is told', async ({ browser }) => {
  const kwesi = await hall.citizen('Kwesi Waiting', 'driver')
  page = await phoneOf(browser, hall, kwesi, { origin: town().origin })
  const check = () => page.getByRole('button', { name: 'Check Approval Status' }).click()
  await tell([
    {
      cause: 'opening Drive',
      title: 'Driver Approval Required',
      provoke: () => walk(page, '/drive'),
    },
    {
      ...{ cause: 'a check that fails', title: 'Error', text: 'Failed to check status.' },
      provoke: async () => {
        await walk(page, '/driver-pending')
        await page.route('**/api/driver/status', failing)
        await check()
      },
    },
  ])
})

test('What an approved driver is told', async ({ browser }) => {
  const yaa = await hall.citizen('Yaa Mensah', 'sender')
  const made = await hall.delivery(yaa, { itemDescription: 'Wall clock' })
  const nana = await hall.citizen('Nana Osei', 'sender')
  const taken = await hall.delivery(nana, { itemDescription: 'Two drums', pickupZone: 'Circle' })
  const fails = (on: Page) => on.route('**/api/driver/available-deliveries*', failing)
  page = await phoneOf(browser, hall, ama, { origin: town().origin, prepare: fails })
  const job = (item: string) => page.getByRole('article', { name: item })
  const find = async (from?: string, to?: string) => {
    if (from) await page.getByLabel('Current zone').selectOption(from)
    if (to) await page.getByLabel('Destination zone').selectOption(to)
    await page.getByRole('button', { name: 'Find Deliveries' }).click()
  }
  const enter = async (code: string) => {
    await page.getByLabel('Delivery code').fill(code)
    await page.getByRole('button', { name: 'Complete Delivery' }).click()
  }
  const code = made.deliveryCode ?? ''
  await tell([
    {
      ...{ cause: 'a list that cannot be had', title: 'Error' },
      text: 'Failed to load available deliveries',
      provoke: () => walk(page, '/drive'),
    },
    {
      ...{ cause: 'no zones chosen', title: 'Select Zones' },
      text: 'Please select both your current and destination zones.',
      provoke: async () => {
        await page.unrouteAll()
        await page.reload()
        await find()
      },
    },
    {
      ...{ cause: 'the same zone twice', title: 'Invalid Zones' },
      text: 'Current and destination zones cannot be the same.',
      provoke: () => find('Osu', 'Osu'),
    },
    {
      ...{ cause: 'a route without jobs', title: 'No deliveries found', text: /your route/ },
      provoke: () => find('Tesano', 'Legon Campus'),
    },
    {
      ...{ cause: 'a job somebody else took', title: 'Cannot Accept' },
      text: 'Another driver was first. Nothing is owed.',
      provoke: async () => {
        await page.getByRole('button', { name: 'Show all' }).click()
        await expect(job('Two drums')).toBeVisible()
        await page.context().setOffline(true)
        await hall.accept(yaw, taken.ID)
        await job('Two drums').getByRole('button', { name: 'Accept Job' }).click()
        await page.context().setOffline(false)
      },
    },
    {
      ...{ cause: 'accepting', title: 'Delivery Accepted', text: /Wall clock/ },
      provoke: () => job('Wall clock').getByRole('button', { name: 'Accept Job' }).click(),
    },
    {
      ...{ cause: 'a second job', title: 'Cannot Accept' },
      text: 'You already have an active delivery. Please complete it first.',
      provoke: async () => {
        const esi = await hall.citizen('Esi Quaye', 'sender')
        await hall.delivery(esi, { itemDescription: 'Sack of rice' })
        await page.reload()
        await job('Sack of rice').getByRole('button', { name: 'Accept Job' }).click()
      },
    },
    {
      ...{ cause: 'a step the server refuses', title: 'Error', text: 'Failed to update status' },
      provoke: async () => {
        await serverSays(`**/api/deliveries/${made.ID}/status`, 400, {})
        await walk(page, `/delivery/${made.ID}`)
        await page.getByRole('button', { name: 'Mark as Picked Up' }).click()
      },
    },
    {
      ...{ cause: 'picking up', title: 'Status Updated', text: /Picked Up/ },
      provoke: () => page.getByRole('button', { name: 'Mark as Picked Up' }).click(),
    },
    {
      ...{ cause: 'a wrong code', title: 'Error', text: 'That delivery code is not right.' },
      provoke: () => enter(code === '00000' ? '11111' : '00000'),
    },
    { cause: 'the right code', title: 'Delivery completed', provoke: () => enter(code) },
    {
      ...{ cause: "copying the sender's number", title: 'Copied' },
      provoke: async () => {
        await page.context().grantPermissions(['clipboard-write'])
        await page.getByRole('button', { name: 'Copy sender phone' }).click()
      },
    },
  ])
})

test('One toast at a time, read out, gone after five seconds', async ({ browser }) => {
  page = await phoneOf(browser, hall, undefined, { origin: town().origin })
  await walk(page, '/drive')
  const toasts = page.locator('[data-toast]')
  await expect(toasts).toHaveText(/Login Required/)
  await expect(page.getByRole('alert').filter({ has: toasts })).toHaveCount(1)
  await walk(page, `/delivery/${elsewhere}`)
  await expect(toasts).toHaveText(/Session Expired/)
  const shown = Date.now()
  await expect(toasts).toHaveCount(0)
  expect(Date.now() - shown).toBeGreaterThan(3_500)
  expect(Date.now() - shown).toBeLessThan(7_500)
})

/** Causes one after another, and reads what is said. */
async function tell(rows: Row[]) {
  for (const { cause, title, text, provoke } of rows)
    await test.step(`${cause}: ${title}`, async () => {
      await provoke()
      const said = page.locator('[data-toast]').filter({
        has: page.getByText(title, { exact: true }),
        ...(text === undefined ? {} : { hasText: text }),
      })
      await expect(said).toBeVisible()
      await expect(page.locator('[data-toast]')).toHaveCount(1)
      if (typeof text === 'string')
        await expect(said.getByText(text, { exact: true })).toBeVisible()
      await said
        .getByRole('button', { name: 'Dismiss' })
        .click({ timeout: 2_000 })
        .catch(() => {})
    })
}

async function logIn(email: string, password: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
}

const json = (status: number, body: object) => ({ status, json: body })

/** The next change asked for there is answered in the server's place. */
async function serverSays(where: string, status: number, body: object) {
  await page.unroute(where)
  let said = false
  await page.route(where, (route) => {
    if (said || route.request().method() === 'GET') return route.fallback()
    said = true
    return route.fulfill(json(status, body))
  })
}

const failing = (route: Route) => route.fulfill(json(500, {}))
