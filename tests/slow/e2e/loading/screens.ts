import type { Page } from '@playwright/test'
import type { ServerApi } from '../../../e2e/helpers/server/server-api.ts'
import { admin } from '../../../helpers/server/app-server.ts'

/* The screens as each kind of person finds them, for what is measured of all of them. */

export type Screen = {
  path: string
  /** Resolves once the screen shows what it is opened for. */
  shown: (page: Page) => Promise<unknown>
}

type Person = { login?: { token: string }; screens: Screen[] }

export const whos = [
  'a guest',
  'a sender with a delivery under way',
  'a driver with jobs to choose from',
  'a driver with an active job',
  'a driver who waits for approval',
  'an admin',
] as const
export type Who = (typeof whos)[number]

const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name, level: 1 }).first().waitFor()
const text = (what: string | RegExp) => (page: Page) =>
  page.getByText(what).locator('visible=true').first().waitFor()
const article = (page: Page) => page.getByRole('article').first().waitFor()
const field = (label: string) => (page: Page) => page.getByLabel(label).waitFor()
const row = (page: Page) =>
  page
    .locator('#main :is(tbody tr, article, li, button.card)')
    .locator('visible=true')
    .first()
    .waitFor()

const home = (shown: Screen['shown']): Screen => ({ path: '/', shown })
const send: Screen = {
  path: '/send',
  shown: (page) => page.getByText('Item description').waitFor(),
}
const outbox: Screen = { path: '/outbox', shown: text('Details for support') }
const room = (id: string): Screen => ({ path: `/delivery/${id}`, shown: text('GH₵') })
const profile: Screen = { path: '/profile', shown: text('Account Information') }

/** Fills the server with people and deliveries, and lists what each of them opens. */
export async function people(api: ServerApi): Promise<Record<Who, Person>> {
  const [sender, busy, driver, active, newcomer] = [
    await api.createAccount('Efua Mensah', 'sender'),
    await api.createAccount('Yaw Darko', 'sender'),
    await api.createDriver('Kwame Adu'),
    await api.createDriver('Kojo Antwi'),
    await api.createAccount('Nana Sarpong', 'driver'),
  ]
  await api.completeDelivery(driver, await api.createDelivery(sender, {}))
  const job = await api.createDelivery(busy, { itemDescription: 'Kente cloth' })
  await api.acceptDelivery(active, job.ID)
  for (const name of ['Adwoa', 'Kofi', 'Akosua', 'Kwesi', 'Abena', 'Esi'])
    await api.createDelivery(await api.createAccount(`${name} Owusu`, 'sender'), {
      itemDescription: `${name}’s documents and shoes`,
    })
  const adminScreens = ['deliveries', 'drivers', 'users', 'disputes', 'money', 'audit', 'settings']
  return {
    'a guest': {
      screens: [
        home(heading('Welcome to Soma')),
        send,
        { path: '/drive', shown: text('Login Required') },
        { path: '/auth', shown: field('Email') },
        outbox,
        { path: '/nowhere', shown: heading(/./) },
      ],
    },
    'a sender with a delivery under way': {
      login: busy,
      screens: [home(article), { path: '/send', shown: article }, room(job.ID), profile, outbox],
    },
    'a driver with jobs to choose from': {
      login: driver,
      screens: [home(heading(/Welcome back/)), { path: '/drive', shown: article }, profile, send],
    },
    'a driver with an active job': {
      login: active,
      screens: [home(article), { path: '/drive', shown: article }, room(job.ID), profile],
    },
    'a driver who waits for approval': {
      login: newcomer,
      screens: [
        home(heading(/Welcome back/)),
        { path: '/driver-pending', shown: text('under review') },
        send,
      ],
    },
    'an admin': {
      login: await api.ask('login', { body: admin }),
      screens: [
        { path: '/admin', shown: heading('Admin Dashboard') },
        ...adminScreens.map((name) => ({
          path: `/admin/${name}`,
          shown:
            name === 'disputes' ? heading(/./) : name === 'money' ? text('Nothing to pay') : row,
        })),
      ],
    },
  }
}
