import { pageUploads } from '#demo/backend/page-uploads.ts'
import { defaultEndingTerms } from '#domain/deliveries/endings/incidents.ts'
import { defaultMinOffer } from '#domain/money.ts'
import type { User } from '#domain/users/user.ts'
import { createServer, type Server } from '#server/app.ts'
import { seed } from '#server/node/startup/first-rows.ts'
import { defaultLimits, looseLimits } from '#server/ports/limits.ts'
import type { Ports } from '#server/ports/ports.ts'
import type { Repo, Stores } from '#server/ports/repo.ts'
import { loadSecrets } from '#server/ports/secrets.ts'
import { newSession } from '#server/rules/accounts/new-session.ts'
import { settleDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { present } from '../../../helpers/present.ts'
import { memoryImages } from '../../../helpers/server/memory-images.ts'
import type { SimulatedTime } from '../devices/clock.ts'
import { withEventTracking } from '../devices/requests.ts'
import type { Random } from './random.ts'

const { deliveryCode, login, sms } = defaultLimits

export type ModelServer = Awaited<ReturnType<typeof openModelServer>>
export type Role = 'ama' | 'kofi' | 'driver one' | 'driver two' | 'newcomer' | 'admin'
export type SeedUser = { user: User; email: string; password: string }

export const base = 'http://soma.test/api'
const imageHost = 'http://soma.test'
const adminEmail = 'admin@soma.test'

/** A server's database. `backUp` copies it and resolves to what puts the copy back, where that is possible. */
export type Database = { repo: Repo; backUp?: () => Promise<() => Promise<void>> }

/** Opens an empty database. */
export type Open = () => Database | Promise<Database>

/** The real server over a repo that outlives its restarts, with the users of every scenario. */
export async function openModelServer(
  open: Open,
  time: SimulatedTime,
  random: Random,
  eventStream: boolean,
) {
  const database = await open()
  const repo = eventStream ? await withEventTracking(database.repo, time) : database.repo
  let restoreCopy: (() => Promise<void>) | undefined
  let wasRestored = false
  let crashAfter: number | undefined
  let hasEndedHolds = false
  const gateways: Ports = {
    repo: { ...repo, transaction: (work) => repo.transaction((stores) => work(mortal(stores))) },
    secrets: await loadSecrets(repo, random.bytes),
    passwords: {
      hash: async (password) => `hash of ${password}`,
      verify: async (kept, password) => kept === `hash of ${password}`,
    },
    sms: { send: async () => {} },
    images: memoryImages(),
    uploads: pageUploads,
    clock: time.now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    options: {
      publicOrigin: imageHost,
      imageUploadUrl: `${base}/images/upload`,
      imageUploadPreset: 'soma',
      imageHost,
      idempotencyDays: 90,
      idUploadPreset: 'soma-id',
      limits: { ...looseLimits, deliveryCode, login, sms },
      minOffer: defaultMinOffer,
      payments: { mode: 'direct', feePercent: 0 },
      smsDaily: 1_000_000,
      endings: defaultEndingTerms,
    },
  }
  await seed(gateways, { email: adminEmail, password: 'password' })
  const residents = await seedUsers(gateways)
  const tokens = await tokensOf(gateways, residents)
  /** Two processes that know nothing of each other, as behind a load balancer: requests go to them in turn. */
  const startProcesses = (): [Server, Server] => [createServer(gateways), createServer(gateways)]
  let processes = startProcesses()
  let turn = 0
  let age = 0

  /** The transaction of a process about to be killed: it never ends. */
  function mortal(stores: Stores): Stores {
    if (crashAfter === undefined) return stores
    const step = () => {
      if (crashAfter === undefined || crashAfter-- > 0) return
      throw new Error('The process was killed')
    }
    const dying = <T extends object>(store: T): T =>
      new Proxy(store, {
        get(target, name, receiver) {
          const method = Reflect.get(target, name, receiver)
          if (typeof method !== 'function') return method
          return (...args: unknown[]) => {
            step()
            return Reflect.apply(method, target, args)
          }
        },
      })
    return Object.fromEntries(
      Object.entries(stores).map(([name, store]) => [
        name,
        typeof store === 'object' ? dying(store) : store,
      ]),
    ) as Stores
  }

  const settleDue = (later: number) =>
    time.whileBusy(async () => {
      await settleDueDeliveries({ ...gateways, repo, clock: () => time.now() + later })
    })

  const closeProcesses = () => Promise.all(processes.map((each) => each.close()))

  function restart() {
    age++
    void closeProcesses()
    processes = startProcesses()
  }

  return {
    repo,
    /** Copies the database for a later `restoreBackup`. */
    backUp: async () => {
      restoreCopy = await time.whileBusy(async () => database.backUp?.())
    },
    /** The server is stopped and started again over the last copy; nothing happens without one. */
    restoreBackup: async () => {
      if (!restoreCopy) return
      const putBack = restoreCopy
      await closeProcesses()
      await time.whileBusy(putBack)
      wasRestored = true
      restart()
    },
    /** Whether the server has forgotten what it did: clients may hold more than it knows. */
    wasRestored: () => wasRestored,
    residents,
    /** How often the server was restarted: responses of an earlier process never arrive. */
    age: () => age,
    restart,
    /** The response, or undefined when the server was killed meanwhile. */
    async answer(request: Request, address: string): Promise<Response | undefined> {
      return time.whileBusy(async () => {
        const response = await processes[turn++ % 2 === 0 ? 0 : 1].fetch(request, { address })
        if (crashAfter === undefined || crashAfter >= 0) return response
        crashAfter = undefined
        restart()
        return undefined
      })
    },
    /** Kills the process after n steps of its next transaction. */
    crash: (after: number) => {
      crashAfter = after
    },
    /** Logs a user in and returns the token. */
    async logIn(who: Role): Promise<string> {
      const token = gateways.secrets.sessionToken()
      const at = new Date(time.now()).toISOString()
      const session = newSession(gateways.secrets, token, residents[who].user.ID, at)
      await time.whileBusy(() => repo.transaction(({ sessions }) => sessions.add(session)))
      return token
    },
    /** Tokens for actions without a simulated phone; those of phones may end. */
    tokens,
    async endSessions(these: string[]) {
      await time.whileBusy(() =>
        repo.transaction(async ({ sessions }) => {
          for (const token of these) await sessions.end(gateways.secrets.hash(token))
        }),
      )
    },
    /** Does what is due so many milliseconds from now (R106, R123). */
    settleDue,
    /** As if the time were over for which money is held after a cancel (R123). */
    async endHolds() {
      hasEndedHolds = true
      await settleDue(defaultEndingTerms.cancelHold)
    },
    endedHolds: () => hasEndedHolds,
    spare: () => {
      crashAfter = undefined
    },
    async close() {
      await closeProcesses()
      await repo.close()
    },
  }
}

async function tokensOf({ repo, secrets, clock }: Ports, residents: Record<Role, SeedUser>) {
  const at = new Date(clock()).toISOString()
  const tokens = Object.entries(residents).map(([name, { user }]) => ({
    name,
    userId: user.ID,
    token: secrets.sessionToken(),
  }))
  await repo.transaction(async ({ sessions }) => {
    for (const { token, userId } of tokens)
      await sessions.add(newSession(secrets, token, userId, at))
  })
  return Object.fromEntries(tokens.map(({ name, token }) => [name, token])) as Record<Role, string>
}

/** Writes the users as they are after sign-up, verification and review. */
async function seedUsers({ repo, secrets, clock }: Ports): Promise<Record<Role, SeedUser>> {
  const createdAt = new Date(clock()).toISOString()
  const admin = present(await repo.read(({ users }) => users.findAdmin()))
  const all: Partial<Record<Role, SeedUser>> = {
    admin: { user: admin, email: adminEmail, password: 'password' },
  }
  await repo.transaction(async ({ users, applications }) => {
    for (const [at, name] of (
      ['ama', 'kofi', 'driver one', 'driver two', 'newcomer'] as const
    ).entries()) {
      const role = at < 2 ? 'sender' : 'driver'
      const user: User = {
        ID: secrets.id(),
        name,
        email: `${name.replace(' ', '.')}@soma.test`,
        role,
        phone_number: `024000000${at}`,
        Verified: true,
        ...(role === 'driver' ? { driverStatus: at < 4 ? 'approved' : 'pending' } : {}),
      }
      await users.add({ ...user, passwordHash: 'hash of password', createdAt })
      all[name] = { user, email: user.email, password: 'password' }
      if (role !== 'driver') continue
      const papers = { idNumber: 'GHA-123456789-0', idPhoto: `${imageHost}/api/images/x.jpg` }
      await applications.add({ userId: user.ID, idType: 'ghana_card', ...papers, createdAt })
      await applications.change(user.ID, at < 4 ? 'approved' : 'pending', createdAt)
    }
  })
  return all as Record<Role, SeedUser>
}
