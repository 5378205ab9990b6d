import { type Restorable, restorableDexie } from '../../helpers/database/restorable.ts'
import { createClock, createLocks, createNetwork, createPhone } from '../../helpers/device/phone.ts'
import { quickPasswords } from '../../helpers/server/dexie-server.ts'
import { type Person, startTestServer } from '../../helpers/server/server.ts'

export const minute = 60_000
const undo: (() => Promise<unknown>)[] = []

/** Runs when the test has ended, the last one first. */
export const atEnd = (work: () => Promise<unknown>) => undo.push(work)

/** Ends the servers and phones of the test. */
export async function endAll(): Promise<void> {
  for (const each of undo.splice(0).reverse()) await each()
}

type Storage = ReadonlyMap<string, string>

/** The real server over a database that can be put back, and phones that meet it. */
export async function start(database: Restorable = restorableDexie()) {
  const on = { open: () => database.repo, drop: async () => undefined }
  const server = await startTestServer(on, { passwords: quickPasswords })
  atEnd(() => server.close().then(() => database.close().catch(() => undefined)))
  const network = createNetwork((request) => server.fetch(request))
  const clock = createClock()
  const noEvents = () =>
    network.setConditions((_, { path }) =>
      path === '/api/events'
        ? Response.json({ error: 'No', reason: 'not-found' }, { status: 404 })
        : 'fine',
    )
  noEvents()

  /** `besides`: a tab of the same phone. */
  async function phoneOf(person?: Person, besides?: { db: { name: string }; storage: Storage }) {
    const phone = createPhone(network, { clock, dbName: besides?.db.name, locks: createLocks() })
    for (const [key, value] of besides?.storage ?? []) phone.storage.set(key, value)
    atEnd(() => phone.kill())
    await phone.start()
    if (person) await phone.session.login(person.email, person.password)
    const later = async (minutes = 1) => {
      clock.pass(minutes * minute)
      await phone.settle()
    }
    await later()
    return { ...phone, later }
  }

  return { server, database, network, clock, noEvents, phoneOf }
}

export type Phone = Awaited<ReturnType<Awaited<ReturnType<typeof start>>['phoneOf']>>

/** Entries of which this phone says that the server has lost what they did. */
export const lostEntries = async ({ db }: Pick<Phone, 'db'>) =>
  (await db.outbox.where('state').equals('refused').toArray()).filter(
    ({ error }) => error?.reason === 'lost',
  )
