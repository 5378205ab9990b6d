import { defaultEndingTerms } from '#domain/deliveries/endings/incidents.ts'
import type { PaymentMode } from '#domain/deliveries/payment.ts'
import { defaultMinOffer } from '#domain/money.ts'
import { createServer } from '#server/app.ts'
import { defaultLimits, looseLimits } from '#server/ports/limits.ts'
import type { Log, Ports } from '#server/ports/ports.ts'
import type { Repo } from '#server/ports/repo.ts'
import { loadSecrets } from '#server/ports/secrets.ts'
import { startDueSuspensions } from '#server/rules/accounts/suspensions.ts'
import { startDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { demoPassword } from '../simulation/personas.ts'
import { seedCity } from '../simulation/seed/seed.ts'
import { DemoDb, demoImages, demoSms } from './demo-db.ts'
import { openDexieRepo } from './dexie/dexie-repo.ts'
import { pageUploads } from './page-uploads.ts'
import { demoPasswords } from './passwords.ts'
import { serverOrigin } from './server-origin.ts'

const { deliveryCode, login, sms } = defaultLimits

type Options = {
  /** Starts the name of every database. */
  storagePrefix: string
  /** The address of the demo, with a slash at its end. */
  home: string
  clock?: () => number
  /** How senders pay from now on (R171), asked for each request. */
  paymentMode?: () => PaymentMode
  /** Runs its argument in one tab at a time: one tab builds the city while others wait. */
  withBuildLock: (work: () => Promise<void>) => Promise<void>
}

export type DemoServer = Awaited<ReturnType<typeof openDemoServer>>

/**
 * The real server in a page, over IndexedDB. Every tab has a server of its own over the same
 * databases. Resolves once the city is built.
 */
export async function openDemoServer({
  storagePrefix,
  home,
  clock = Date.now,
  paymentMode = () => 'direct',
  withBuildLock,
}: Options) {
  const demoDb = new DemoDb(storagePrefix)
  const repo = openDexieRepo(`${storagePrefix}server`)
  const ports = await portsOf(repo, demoDb, { home, clock, paymentMode })
  await withBuildLock(() => seedCity(ports))
  const server = createServer(ports)
  const stops = [startDueDeliveries(ports), startDueSuspensions(ports)]
  let payments: ReturnType<typeof openPayments> | undefined
  return {
    demoDb,
    ports,
    fetch: (request: Request) => server.fetch(request),
    /** The payment provider, from its first use on: what begins with it ends with it. */
    payments: () =>
      (payments ??= openPayments(ports, demoDb).catch((error) => {
        payments = undefined
        throw error
      })),
    /** Gives an account the demo's password again, after the visitor has changed it. */
    async restorePassword(id: string) {
      const passwordHash = await demoPasswords.hash(demoPassword)
      await repo.transaction(({ users }) => users.change(id, { passwordHash }))
    },
    async close() {
      for (const stop of stops) stop()
      await (await payments)?.stop()
      await server.close()
      await repo.close()
      demoDb.close()
    },
  }
}

async function portsOf(
  repo: Repo,
  demoDb: DemoDb,
  { home, clock, paymentMode }: Pick<Required<Options>, 'home' | 'clock' | 'paymentMode'>,
): Promise<Ports> {
  return {
    repo,
    secrets: await loadSecrets(repo),
    passwords: demoPasswords,
    sms: demoSms(demoDb, clock),
    images: demoImages(demoDb),
    uploads: pageUploads,
    clock,
    log: diagnosticsLog,
    options: {
      publicOrigin: home.replace(/\/$/, ''),
      imageUploadUrl: `${serverOrigin}/api/images/upload`,
      imageUploadPreset: 'soma',
      idUploadPreset: 'soma-id',
      imageHost: `${home}photos`,
      idempotencyDays: 90,
      // Everybody here shares one address; codes and failed logins keep their usual limits.
      limits: { ...looseLimits, deliveryCode, login, sms },
      smsDaily: 1_000_000,
      minOffer: defaultMinOffer,
      payments: {
        get mode() {
          return paymentMode()
        },
        feePercent: 0,
      },
      endings: defaultEndingTerms,
    },
  }
}

/** Loaded with the first use of the provider: most visitors never choose it. */
const openPayments = async (ports: Ports, demoDb: DemoDb) =>
  (await import('./open-payments.ts')).openPayments(ports, demoDb)

/** The server adds the ID of the request to what it logs. */
const noteProblem: Log['warn'] = (details: { err?: unknown; request?: string }, message) =>
  note(`demo server: ${message}`, { error: details.err, request: details.request })

/** Warnings and errors go to the diagnostics, not to the visitor's console. */
const diagnosticsLog: Log = { info: () => {}, warn: noteProblem, error: noteProblem }
