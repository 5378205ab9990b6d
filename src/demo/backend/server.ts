import { createServer } from '#server/http/app.ts'
import { defaultLimits, looseLimits } from '#server/http/rate-limits.ts'
import type { Gateways, Log } from '#server/ports/gateways.ts'
import { loadSecrets } from '#server/ports/secrets.ts'
import { demoPassword } from '../simulation/personas.ts'
import { seedCity } from '../simulation/seed/seed.ts'
import { DemoDb, demoImages, demoSms } from './demo-db.ts'
import { openDexieRepo } from './dexie/repo.ts'
import { pageUploads } from './page-uploads.ts'
import { demoPasswords } from './passwords.ts'

const { deliveryCode, login, sms } = defaultLimits

/** Nobody's address (RFC 2606): a request that found its way out of the page would reach no one. */
export const serverOrigin = 'https://soma.invalid'

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
  const box = new DemoDb(apart)
  const repo = openDexieRepo(`${apart}server`)
  const gateways: Gateways = {
    repo,
    secrets: await loadSecrets(repo),
    passwords: demoPasswords,
    sms: demoSms(box, clock),
    images: demoImages(box),
    uploads: pageUploads,
    clock,
    log: quiet,
    options: {
      imageUploadUrl: `${serverOrigin}/api/images/upload`,
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
