import { afterEach, describe, expect, test, vi } from 'vitest'
import { call } from '#contract/call.ts'
import { limits } from '#demo/simulation/actions.ts'
import { demoPassword, personas } from '#demo/simulation/personas.ts'
import { seededNumbers } from '#demo/simulation/random.ts'
import { type SimulationOptions, startSimulation } from '#demo/simulation/run.ts'
import { seedCity } from '#demo/simulation/seed/seed.ts'
import { type Delivery, Status } from '#domain/delivery.ts'
import { toPesewas } from '#domain/money.ts'
import { createServer } from '#server/http/app.ts'
import type { Repo } from '#server/ports/repo.ts'
import { present } from '../../helpers/server.ts'
import { gatewaysOver, homes, imageHost } from './fixture.ts'

const begin = '2026-11-21T10:00:00.000Z'
const [second, minute] = [1_000, 60_000]

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** The demo's city, in which time passes only when somebody says so. */
async function town(home = homes[0]) {
  const { repo, drop } = await present(home)[1]()
  closing.push(drop)
  const made = await gatewaysOver(repo, begin)
  await seedCity(made.gateways)
  const server = createServer(made.gateways)
  closing.push(() => server.close())
  const ask: Ask = (op, question) =>
    call((asked) => server.fetch(asked), 'https://soma.test/api', op, question)
  const { clock } = made.gateways

  /** Lets the city live for so many milliseconds; they pass as fast as deeds can be done. */
  async function live(length: number, about: Partial<SimulationOptions> = {}) {
    const end = clock() + length
    let over = () => {}
    const passed = new Promise<void>((resolve) => {
      over = resolve
    })
    const stop = startSimulation({
      ...{ gateways: made.gateways, random: seededNumbers(5), visitorWaits: () => false },
      async pause(milliseconds, signal) {
        made.advance(milliseconds)
        if (clock() < end) return
        over()
        await new Promise((aborted) => signal.addEventListener('abort', aborted))
      },
      ...about,
    })
    await passed
    await stop()
  }

  async function logIn(key: 'sender' | 'driver' | 'admin') {
    const { email } = personas[key]
    const { value } = await ask('login', { body: { email, password: demoPassword } })
    return present(value).token
  }

  const deliveries = async () =>
    (await repo.read((stores) => stores.deliveries.list({ of: 'everyone' }, { limit: 1_000 }))).rows
  const delivery = async (id: string) =>
    present(await repo.read((stores) => stores.deliveries.get(id)))
  return { ...made, repo, ask, live, logIn, deliveries, delivery }
}
type Ask = <O extends Parameters<typeof call>[2]>(
  op: O,
  question: Parameters<typeof call>[3],
) => ReturnType<typeof call<O>>

const request = {
  ...{ itemDescription: 'Keys', pickupZone: 'Osu', dropoffZone: 'Tema', offer: 30 },
  ...{ recipientName: 'Kofi', recipientPhone: '0240001111' },
  itemPhoto: `${imageHost}/api/images/keys.jpg`,
}

const played = Object.values(personas).flatMap((each) => ('id' in each ? each.id : []))
const isPlayed = ({ sender, driver }: Delivery) =>
  played.some((id) => id === sender?.id || id === driver?.id)

async function theLedgerBalances(repo: Repo, deliveries: Delivery[]) {
  await repo.read(async ({ ledger }) => {
    for (const { ID, status, offer } of deliveries) {
      const end = status === 'Approved' ? ['release'] : status === 'Cancelled' ? ['refund'] : []
      const transfers = await ledger.of(ID)
      expect(transfers.map(({ kind }) => kind).sort()).toEqual(['hold', ...end])
      for (const { entries } of transfers)
        expect(entries.reduce((sum, { pesewas }) => sum + pesewas, 0)).toBe(0)
      expect(await ledger.balance(`escrow:${ID}`)).toBe(end.length ? 0 : toPesewas(offer))
    }
  })
}

describe.each(homes)('An hour of the city, kept in %s', (...home) => {
  test('moves everything on by the rules, balances, and stays within bounds', async () => {
    const { live, deliveries, repo, logged, texts } = await town(home)
    const before = await deliveries()
    const tell = () =>
      repo.read(async (stores) => ({
        stats: await stores.stats(),
        disputes: (await stores.disputes.list({ limit: 1_000 })).total,
        applications: (await stores.applications.list({ limit: 1_000 })).total,
      }))
    const characterAccounts = () =>
      repo.read(({ users }) => Promise.all(played.map((id) => users.get(id))))
    const [was, accounts] = [await tell(), await characterAccounts()]
    await live(60 * minute)
    const after = await deliveries()
    const now = await tell()

    const changed = after.filter(
      (each) => !before.some(({ ID, status }) => ID === each.ID && status === each.status),
    )
    const statuses = new Set(changed.map(({ status }) => status))
    for (const status of Status.options.filter((each) => each !== 'Cancelled'))
      expect(statuses).toContain(status)
    expect(after.length - before.length).toBeGreaterThan(20)
    expect(now.stats.totalRevenue).toBeGreaterThan(was.stats.totalRevenue + 500)
    for (const { history = [] } of changed) {
      const steps = history.map(({ status }) => status).filter((each) => each !== 'Cancelled')
      expect(steps).toEqual(Status.options.slice(0, steps.length))
    }
    await theLedgerBalances(repo, changed)

    expect(now.stats.pendingDeliveries).toBeLessThanOrEqual(limits.pending)
    expect(now.stats.pendingDeliveries).toBeGreaterThanOrEqual(8)
    expect(now.disputes).toBeGreaterThan(was.disputes)
    expect(now.disputes - was.disputes).toBeLessThanOrEqual(limits.disputes)
    expect(now.applications).toBeGreaterThan(was.applications)
    expect(now.stats.pendingDrivers).toBeLessThanOrEqual(limits.applicants)
    expect(logged).toEqual([])
    // Nobody's texts come to the visitor, and nobody acts as one of their characters.
    expect(texts).toEqual([])
    expect(changed.filter(isPlayed)).toEqual([])
    expect(await characterAccounts()).toEqual(accounts)
  })
})

describe('The city of the demo', () => {
  test('lives the same hour again by the same chance', async () => {
    const tell = async () => {
      const { live, deliveries } = await town()
      await live(15 * minute)
      return (await deliveries()).map(({ ID: _, deliveryCode: __, ...rest }) => rest)
    }
    expect(await tell()).toEqual(await tell())
  })

  test('sends a driver to a sender who waits, and leaves the approval to them', async () => {
    const { ask, live, logIn, delivery, repo, logged } = await town()
    const token = await logIn('sender')
    const { value } = await ask('createDelivery', { token, body: request })
    const { ID: id } = present(value).delivery
    await live(39 * second, { visitorWaits: () => true })
    expect((await delivery(id)).status).toBe('Pending')
    await live(27 * second, { visitorWaits: () => true })
    expect((await delivery(id)).status).toBe('Accepted')
    await live(3 * minute)
    const delivered = await delivery(id)
    expect(delivered.status).toBe('Delivered')
    expect(played).not.toContain(delivered.driver?.id)
    await live(20 * minute)
    expect((await delivery(id)).status).toBe('Delivered')
    await ask('changeStatus', { token, id, body: { status: 'Approved' } })
    await theLedgerBalances(repo, [await delivery(id)])
    expect(logged).toEqual([])
  })

  test('sends a driver to a guest who waits, too', async () => {
    const { ask, live, delivery } = await town()
    const guest = { senderName: personas.guest.name, senderPhone: personas.guest.phone }
    const { value } = await ask('createGuestDelivery', { body: { ...request, ...guest } })
    const { delivery: made, guestToken: token } = present(value)
    await live(6 * minute, { visitorWaits: () => true })
    expect((await delivery(made.ID)).status).toBe('Delivered')
    const body = { status: 'Approved', guestPhone: guest.senderPhone }
    await ask('changeGuestStatus', { token, id: made.ID, body })
  })

  test('leaves what a visitor asked for to themself when they do not wait', async () => {
    const { ask, live, logIn, delivery } = await town()
    const { value } = await ask('createDelivery', { token: await logIn('sender'), body: request })
    await live(30 * minute)
    expect(await delivery(present(value).delivery.ID)).toMatchObject({ status: 'Pending' })
  })

  test('pays a visitor who drives: their job is approved when it is done', async () => {
    const { ask, live, logIn, delivery, repo } = await town()
    const token = await logIn('driver')
    const { value } = await ask('availableDeliveries', { token })
    const { ID: id } = present(present(value).deliveries[0])
    await ask('acceptDelivery', { token, id })
    await live(10 * minute)
    // Nobody picks up a job that another has taken.
    expect((await delivery(id)).status).toBe('Accepted')
    await ask('changeStatus', { token, id, body: { status: 'Picked Up' } })
    const { deliveryCode: code } = await delivery(id)
    await ask('completeDelivery', { token, id, body: { code } })
    const account = `driver:${personas.driver.id}`
    const earned = () => repo.read(({ ledger }) => ledger.balance(account))
    const before = await earned()
    await live(50 * second)
    const { status, offer } = await delivery(id)
    expect(status).toBe('Approved')
    expect(await earned()).toBe(before + toPesewas(offer))
  })

  test('lets an applicant whom the visitor approves drive', async () => {
    const { ask, live, logIn, repo, deliveries } = await town()
    const token = await logIn('admin')
    const { value } = await ask('adminDrivers', { token, query: { status: 'pending' } })
    const hopeful = present(value).drivers.filter(({ ID }) => ID !== personas.pending.id)
    for (const { ID: id } of hopeful)
      await ask('reviewDriver', { token, id, body: { status: 'approved' } })
    await live(60 * minute)
    const drove = new Set((await deliveries()).map(({ driver }) => driver?.id))
    expect(hopeful.filter(({ ID }) => drove.has(ID))).not.toEqual([])
    const waiting = await repo.read(({ users }) => users.get(personas.pending.id))
    expect(waiting?.driverStatus).toBe('pending')
  })

  test('is moved by one tab at a time, which is seen; another takes over when it is hidden', async () => {
    const { gateways } = await town()
    const locks = oneLock()
    const awake: string[] = []
    const open = (name: string) => {
      const page = Object.assign(new EventTarget(), { hidden: false })
      const stop = startSimulation({
        ...{ gateways, locks, page, visitorWaits: () => false },
        pause: (_, signal) => {
          awake.push(name)
          return new Promise((go) => signal.addEventListener('abort', () => go()))
        },
      })
      closing.push(stop)
      return {
        stop,
        show(hidden: boolean) {
          page.hidden = hidden
          page.dispatchEvent(new Event('visibilitychange'))
        },
      }
    }
    const [first, second] = [open('first'), open('second')]
    await vi.waitFor(() => expect(awake).toEqual(['first']))
    first.show(true)
    await vi.waitFor(() => expect(awake).toEqual(['first', 'second']))
    first.show(false)
    second.show(true)
    await vi.waitFor(() => expect(awake).toEqual(['first', 'second', 'first']))
    await first.stop()
    second.show(false)
    await vi.waitFor(() => expect(awake).toEqual(['first', 'second', 'first', 'second']))
    second.show(true)
    await new Promise((later) => setTimeout(later, 50))
    expect(awake).toHaveLength(4)
  })

  test('ends at once when it is told to, in the middle of a pause', async () => {
    const { gateways } = await town()
    const began = performance.now()
    await startSimulation({ gateways, visitorWaits: () => true })()
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})

/** As `navigator.locks` for one name: whoever asked first has it, until what they do with it ends. */
function oneLock(): Pick<LockManager, 'request'> {
  let held: Promise<unknown> = Promise.resolve()
  const request = (_: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) => {
    const mine = held.then(() => (signal.aborted ? Promise.reject(signal.reason) : work()))
    held = mine.catch(() => undefined)
    return mine
  }
  return { request } as Pick<LockManager, 'request'>
}
