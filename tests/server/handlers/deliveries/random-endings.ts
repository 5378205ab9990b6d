import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { settleDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { moneyFault } from '../../../helpers/server/money-fault.ts'
import {
  type Guest,
  type Person,
  present,
  startTestServer,
  type TestServer,
  testOptions,
} from '../../../helpers/server/server.ts'

const drivers = 6
let server: TestServer
let admin: Person
beforeAll(async () => {
  // Waits are over at once: the wait itself has tests of its own.
  const endings = { ...testOptions.endings, wait: 0, returnShare: 0.7 }
  const options = { ...testOptions, endings }
  server = await startTestServer(undefined, { options })
  admin = await server.admin()
})
afterAll(() => server.close())

/** Whole numbers from 0, always the same ones (mulberry32). */
function randomBy(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

type Run = { guest: Guest; driver: Person; id: string; random: (below: number) => number }
type Step = (run: Run, stored: Delivery) => Promise<unknown>

const raw = (method: string, path: string, token: string, body: object = {}, occurredAt?: string) =>
  server.raw(method, path, {
    token,
    body,
    headers: occurredAt ? { 'occurred-at': occurredAt } : undefined,
  })
const byDriver =
  (path: string, body?: (stored: Delivery) => object): Step =>
  ({ driver, id }, stored) =>
    raw('POST', `/driver/deliveries/${id}/${path}`, driver.token, body?.(stored))
const byGuest =
  (status: string): Step =>
  ({ guest, id }) =>
    raw('PATCH', `/guest/deliveries/${id}/status`, guest.token, { status, guestPhone: guest.phone })
const report = { issue: 'Broken', type: 'sender_issue', priority: 'medium' }

const decideOn = async (id: string, decision: string, driverShare?: number) => {
  const disputes = await server.repo.read((stores) => stores.disputes.ofDelivery(id))
  for (const { ID, status } of disputes)
    if (status === 'open')
      await raw('PATCH', `/admin/disputes/${ID}`, admin.token, {
        status: 'resolved',
        resolution: 'Heard both',
        decision,
        driverShare,
      })
}

const later = () => ({ ...server.ports, clock: () => server.clock.now() + 49 * 3_600_000 })
const decisions = ['release', 'refund', 'split', 'none']
const accept: Step = ({ driver, id }) =>
  raw('PATCH', `/driver/deliveries/${id}/accept`, driver.token)
const pickUp: Step = ({ driver, id }) =>
  raw('PATCH', `/deliveries/${id}/status`, driver.token, { status: 'Picked Up' })
const attempt = byDriver('attempt', () => ({ reason: 'absent' }))
const bringBack = byDriver('return')
const cancelSeen = byDriver('cancel-seen')
/** What the driver says to have done before everything else (R124). */
const early = '2020-01-01T00:00:00.000Z'
const pickUpLate: Step = ({ driver, id }) =>
  raw('PATCH', `/deliveries/${id}/status`, driver.token, { status: 'Picked Up' }, early)
const handOverLate: Step = ({ driver, id }, { deliveryCode }) =>
  raw('POST', `/driver/deliveries/${id}/complete`, driver.token, { code: deliveryCode }, early)
const handOver = byDriver('complete', ({ deliveryCode }) => ({ code: deliveryCode }))
const approve = byGuest('Approved')
const confirmReturn: Step = ({ guest, id }) =>
  raw('POST', `/deliveries/${id}/return/confirm`, guest.token)
/** What comes first is drawn more often, so that deliveries get somewhere. */
const steps: Step[] = [
  accept,
  pickUp,
  accept,
  pickUp,
  attempt,
  bringBack,
  handOver,
  byDriver('complete', ({ returnCode = '' }) => ({ code: returnCode })),
  byDriver('complete', () => ({ code: 'wrong' })),
  byDriver('release', () => ({ reason: 'Flat tyre' })),
  approve,
  byGuest('Cancelled'),
  confirmReturn,
  ({ guest, id }) =>
    raw('POST', '/guest/disputes', guest.token, {
      ...report,
      deliveryId: id,
      guestPhone: guest.phone,
    }),
  ({ driver, id }) =>
    raw('POST', '/disputes', driver.token, { ...report, type: 'driver_issue', deliveryId: id }),
  ({ id, random }) => decideOn(id, `${decisions[random(4)]}`, random(6_001) / 100),
  // The office takes it from its driver, gives it to one, and approves it.
  ({ id, driver, random }) =>
    raw('POST', `/admin/deliveries/${id}/driver`, admin.token, {
      driver: random(2) === 0 ? null : driver.user.ID,
      reason: 'Bike broke down',
    }),
  ({ id }) =>
    raw('PATCH', `/deliveries/${id}/status`, admin.token, { status: 'Approved', reason: 'Called' }),
  ({ id, random }) =>
    raw('PATCH', `/admin/deliveries/${id}`, admin.token, {
      offer: 20 + random(10_000) / 100,
      recipientPhone: `02000000${10 + random(90)}`,
      reason: 'Called',
    }),
  () => settleDueDeliveries(later()),
]

/**
 * What leads a delivery on from where it is. Drawn only from the list above it would come too late: the timers of each
 * worker end the deliveries of all.
 */
function usualSteps({ status, returning, returnFrom }: Delivery): Step[] {
  if (status === 'Cancelled')
    return [cancelSeen, pickUpLate, handOverLate, ({ id }) => decideOn(id, 'split', 20)]
  if (returning) return [confirmReturn]
  if (returnFrom) return [bringBack]
  if (status === 'Picked Up') return [handOver, attempt]
  return status === 'Delivered' ? [approve] : []
}

function drawStep(delivery: Delivery, random: Run['random']): Step {
  const usual = usualSteps(delivery)
  const from = usual.length > 0 && random(3) === 0 ? usual : steps
  return present(from[random(from.length)])
}

const stored = async (id: string) =>
  present(await server.repo.read(({ deliveries }) => deliveries.get(id)))

/**
 * Locks the delivery while its money is read: between two reads the timers of another worker may end it, and each
 * read alone sees what is committed by then.
 */
async function expectBalance(id: string) {
  const [delivery, transfers] = await server.repo.transaction(
    async ({ deliveries, ledger }) => [await deliveries.lock(id), await ledger.of(id)] as const,
  )
  expect(moneyFault(present(delivery), transfers)).toBeUndefined()
}

const hasEnded = ({ status, refund }: Delivery) =>
  status === 'Approved' || (status === 'Cancelled' && refund !== 'held')

/** What anybody who is left does: the timers, then the guest, then a report that an admin decides. */
async function end(run: Run) {
  const ways: Step[] = [
    cancelSeen,
    () => settleDueDeliveries(later()),
    byGuest('Cancelled'),
    confirmReturn,
    ({ guest, id }) =>
      raw('POST', '/guest/disputes', guest.token, {
        ...report,
        deliveryId: id,
        guestPhone: guest.phone,
      }),
    ({ id, random }) => decideOn(id, `${decisions[random(3)]}`, 20),
    ({ id }) => decideOn(id, 'refund'),
  ]
  for (const way of ways) {
    const delivery = await stored(run.id)
    if (hasEnded(delivery)) return
    await way(run, delivery)
    await expectBalance(run.id)
  }
}

/** How a delivery ended, as one word or two. */
function endOf({ status, outcome, decision, history = [], driver }: Delivery): string {
  if (status === 'Approved')
    return decision ? 'released' : history.at(-1)?.automatic ? 'by itself' : 'approved'
  if (outcome) return outcome
  return decision ? 'refunded' : driver ? 'cancelled, accepted' : 'cancelled'
}

/**
 * R101 to R108: deliveries of guests, ended at random, over the real server. `reachesAll`: so many that
 * each way to end is among them.
 */
export function randomExits(scenarios: number, { reachesAll = false } = {}) {
  test(`${scenarios} random deliveries leave no parcel stuck and no pesewa unaccounted`, async () => {
    const ends = new Map<string, number>()
    const stuck: string[] = []
    async function work(at: number) {
      const driver = await server.driver()
      for (let n = at; n < scenarios; n += drivers) {
        const random = randomBy(n)
        const guest = await server.guestDelivery({ offer: 20 + random(10_000) / 100 })
        const run = { guest, driver, id: guest.delivery.ID, random }
        for (let left = 3 + random(10); left > 0; left--) {
          const delivery = await stored(run.id)
          if (hasEnded(delivery)) break
          await drawStep(delivery, random)(run, delivery)
          await expectBalance(run.id)
        }
        await end(run)
        const ended = await stored(run.id)
        if (!hasEnded(ended)) stuck.push(`${n}: ${JSON.stringify(ended)}`)
        ends.set(endOf(ended), (ends.get(endOf(ended)) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: drivers }, (_, at) => work(at)))
    expect(stuck).toEqual([])
    expect([...ends.values()].reduce((sum, many) => sum + many)).toBe(scenarios)
    if (reachesAll)
      expect([...ends.keys()].sort()).toEqual([
        'approved',
        'by itself',
        'cancelled',
        'cancelled, accepted',
        'refunded',
        'released',
        'returned',
        'split',
      ])
    const { rows } = await server
      .pool()
      .query<{ open: string; all: string }>(
        `select coalesce(sum(pesewas) filter (where account ~ '^promised:'), 0) open, sum(pesewas) "all" from entries`,
      )
    expect(rows).toEqual([{ open: '0', all: '0' }])
    // R184: nothing is set aside any more, and what came in is all somewhere else.
    const { cameIn, ...where } = await server.repo.read(({ ledger }) => ledger.totals())
    expect(where.held).toBe(0)
    expect(Object.values(where).reduce((sum, each) => sum + each)).toBe(cameIn)
  }, 600_000)
}
