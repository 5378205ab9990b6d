import { createServer } from '#server/http/app.ts'
import { defaultLimits, looseLimits } from '#server/limits/rate-limits.ts'
import type { Log, Ports } from '#server/ports/ports.ts'
import { loadSecrets } from '#server/ports/secrets.ts'
import { demoPassword } from '../simulation/accounts.ts'
import { seedCity } from '../simulation/seed.ts'
import { boxedImages, boxedSms, DemoBox } from './demo-db.ts'
import { pageUploads } from './page-uploads.ts'
import { demoPasswords } from './passwords.ts'
import { openDexieRepo } from './repo.ts'

const { deliveryCode, login, sms } = defaultLimits

/** Nobody's address (RFC 2606): a request that found its way out of the page would reach no one. */
export const nowhere = 'https://soma.invalid'

type Options = {
  /** Before the name of every database. */
  apart: string
  /** Where the demo lies, with a slash at its end. */
  home: string
  clock?: () => number
  /** Lets one tab build the city while others wait. */
  alone: (work: () => Promise<void>) => Promise<void>
}

export type DemoServer = Awaited<ReturnType<typeof openDemoServer>>

/** The real server, in a page: over IndexedDB, which all tabs share, each with a server of its own. */
export async function openDemoServer({ apart, home, clock = Date.now, alone }: Options) {
  const box = new DemoBox(apart)
  const repo = openDexieRepo(`${apart}server`)
  const gateways: Ports = {
    repo,
    secrets: await loadSecrets(repo),
    passwords: demoPasswords,
    sms: boxedSms(box, clock),
    images: boxedImages(box),
    uploads: pageUploads,
    clock,
    log: quiet,
    options: {
      imageUploadUrl: `${nowhere}/api/images/upload`,
      imageUploadPreset: 'soma',
      idUploadPreset: 'soma-id',
      imageHost: `${home}photos`,
      idempotencyDays: 90,
      // One address is everybody here; codes and failed logins are limited as everywhere.
      limits: { ...looseLimits, deliveryCode, login, sms },
      smsDaily: 1_000_000,
    },
  }
  await alone(() => seedCity(gateways))
  const server = createServer(gateways)
  return {
    box,
    gateways,
    fetch: (request: Request) => server.fetch(request),
    /** Back to the demo's own, for a character whose password the visitor changed. */
    async restorePassword(id: string) {
      const passwordHash = await demoPasswords.hash(demoPassword)
      await repo.transaction(({ users }) => users.change(id, { passwordHash }))
    },
    async close() {
      await server.close()
      await repo.close()
      box.close()
    },
  }
}

/** What goes wrong is told to who asked; a visitor's console is not ours to write in. */
const quiet: Log = { info: () => {}, warn: () => {}, error: () => {} }
