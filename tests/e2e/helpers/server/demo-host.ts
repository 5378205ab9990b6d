import { join } from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { staticHost } from '../../../../src/server/launch/static-host.mjs'
import { freePort } from '../../../helpers/server/app-server.ts'
import { installed } from '../page/worker.ts'

/** A static file server that serves the demo below a path, and nothing else. */
export type DemoHost = {
  home: string
  /** Every request for anything but a file of the demo. */
  strays: string[]
}

const under = '/some/where/'

/** Starts one host for all tests of a file. Call it at the top level of the file. */
export function demoHost(): () => DemoHost {
  let host: DemoHost | undefined
  let close = () => {}
  test.beforeAll(async () => {
    const port = await freePort()
    const strays: string[] = []
    const folder = join(import.meta.dirname, '../../../../dist/demo')
    const onMissing = (line: string) => strays.push(line)
    const server = await staticHost(folder, { port, under, onMissing })
    host = { home: `http://127.0.0.1:${port}${under}`, strays }
    close = () => {
      server.close()
      server.closeAllConnections()
    }
  })
  test.beforeEach(() => host?.strays.splice(0))
  test.afterAll(() => close())
  return () => {
    if (!host) throw new Error('The demo host is only available inside a test.')
    return host
  }
}

/** Records every request of the browser that leaves the demo's folder. */
export function watchStrays(context: BrowserContext, { home, strays }: DemoHost): void {
  context.on('request', (request) => {
    const url = request.url()
    if (url.startsWith('http') && !url.startsWith(home)) strays.push(url)
  })
}

/** Opens a screen with the same URL form as the host's 404 page redirects to. */
export async function openDemo(page: Page, { home }: DemoHost, path = ''): Promise<void> {
  await page.goto(`${home}?to=${encodeURIComponent(path)}`)
  await ready(page)
}

/** Waits until the demo data are seeded and the service worker serves the photos. */
export async function ready(page: Page): Promise<void> {
  await expect(page.getByRole('complementary', { name: 'Demo' })).toBeVisible()
  await installed(page)
}

export type Role = 'Guest' | 'Sender' | 'Driver' | 'Pending driver' | 'Admin'

/** Switches the role through the demo bar. */
export async function become(page: Page, role: Role): Promise<void> {
  await page.getByRole('button', { name: /^Demo: you are/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Who are you?' })
  await sheet.getByRole('button', { name: new RegExp(`^${role}: `) }).click()
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('button', { name: new RegExp(`, ${role}\\. Change`) })).toBeVisible()
}

export const network = (page: Page, state: 'on' | 'off') =>
  page.getByRole('button', { name: `Switch the network ${state}` }).click()
