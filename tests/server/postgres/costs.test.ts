import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { defaultZones } from '#domain/choices.ts'
import { everyDay } from '#domain/users/commutes.ts'
import { toldTrips } from '#server/notifications/told-trips.ts'
import { present } from '../../helpers/server/server.ts'
import { cellsOf, type Row } from '../security/access/access-rows.ts'
import { table } from '../security/access/access-table.ts'
import {
  type AccessFixture,
  defaultTarget,
  roles,
  type Stage,
  startFrozenFixture,
  targetOf,
  tokenOf,
} from '../security/access-fixture.ts'

/*
 * What each call asks of PostgreSQL where it succeeds: statements, and rows that come back. A count is the same on
 * every machine. A change that makes one grow has to say what that buys.
 */

/** Statements and rows of each call. */
const costs: Partial<Record<Op, [statements: number, rows: number]>> = {
  login: [20, 7],
  signup: [25, 10],
  logout: [6, 3],
  me: [1, 1],
  changePhone: [23, 10],
  changeProfile: [13, 10],
  myData: [7, 3],
  deleteMe: [52, 17],
  changePayout: [20, 9],
  requestReset: [15, 37],
  resendCode: [14, 37],
  sessions: [2, 2],
  endSession: [7, 5],
  withdrawRequest: [6, 3],
  knownRequests: [5, 2],
  zones: [1, 18],
  items: [1, 12],
  config: [1, 0],
  senderDeliveries: [2, 2],
  senderActiveDeliveries: [2, 2],
  // Of these one asks whether the office pauses (R205).
  createDelivery: [17, 7],
  createGuestDelivery: [17, 6],
  // One of them tells the office, as of each dispute (R224).
  applyAsDriver: [17, 9],
  driverStatus: [1, 1],
  availableDeliveries: [2, 4],
  driverDeliveries: [2, 2],
  acceptDelivery: [10, 7],
  completeDelivery: [13, 7],
  acknowledgeCancel: [11, 6],
  contestPickUp: [12, 7],
  releaseJob: [12, 8],
  reportAttempt: [10, 6],
  reportUnpaid: [19, 9],
  changeDriverCard: [14, 10],
  getDelivery: [3, 2],
  changeStatus: [12, 6],
  confirmReturn: [17, 6],
  raiseOffer: [12, 6],
  renewCode: [9, 6],
  rateDelivery: [14, 10],
  handover: [1, 1],
  recoverGuest: [11, 5],
  subscribe: [5, 2],
  unsubscribe: [5, 2],
  changeNotifications: [8, 5],
  changeCommutes: [9, 23],
  createDispute: [15, 8],
  // One statement more for what waits (R187).
  adminStats: [6, 14],
  adminTrends: [5, 39],
  adminActivities: [2, 51],
  adminUsers: [3, 33],
  adminUser: [11, 7],
  adminColleagues: [3, 2],
  inviteColleague: [9, 3],
  startSecondFactor: [22, 8],
  endSecondFactor: [25, 11],
  adminDisputes: [3, 3],
  adminDispute: [3, 3],
  resolveDispute: [14, 9],
  adminMoney: [3, 6],
  adminPayouts: [3, 4],
  settlePayout: [15, 8],
  assignDriver: [13, 6],
  correctDelivery: [8, 5],
  reportFor: [15, 7],
  // Of these one counts the requests that are not paid (R232).
  adminDeliveries: [4, 26],
  adminDrivers: [4, 23],
  adminDriversWithDetails: [4, 23],
  reviewDriver: [13, 6],
  suspendUser: [15, 7],
  addNote: [8, 4],
  adminZones: [2, 19],
  addZone: [8, 21],
  changeZone: [10, 22],
  // Also whether deliveries under way use it (R208).
  removeZone: [9, 23],
  adminItems: [2, 13],
  adminAudit: [4, 63],
  adminDevice: [6, 3],
  addItem: [8, 15],
  removeItem: [9, 17],
  adminSettings: [2, 1],
  changeSettings: [8, 3],
  changeItem: [8, 15],
}

let fixture: AccessFixture
/** What the call under way has asked for; what the server does meanwhile is nobody's. */
const calls = new AsyncLocalStorage<{ statements: number; rows: number }>()
beforeAll(async () => {
  // At noon: what the fixture makes over an hour is of one day, whenever the tests run.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date().setUTCHours(12, 0, 0, 0) })
  const usual = pg.Client.prototype.query as (...args: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const counted = calls.getStore() ?? { statements: 0, rows: 0 }
    const count = (result: pg.QueryResult | undefined) => {
      counted.rows += result?.rows?.length ?? 0
    }
    counted.statements += 1
    // The pool calls back, a transaction waits.
    const done = args.at(-1)
    if (typeof done !== 'function') {
      const answer = usual.apply(this, args) as Promise<pg.QueryResult>
      answer.then(count, () => {})
      return answer
    }
    const counting = (error: unknown, result?: pg.QueryResult) => {
      count(result)
      done(error, result)
    }
    return usual.apply(this, [...args.slice(0, -1), counting])
  } as never)
  fixture = await startFrozenFixture()
  // A connection that opens for a call, because others were closed after ten idle seconds, asks for itself.
  const pool = fixture.server.pool()
  pool.options.idleTimeoutMillis = 0
  const connections = await Promise.all(
    Array.from({ length: pool.options.max }, () => pool.connect()),
  )
  for (const each of connections) each.release()
})
afterAll(async () => {
  vi.useRealTimers()
  await fixture.server.close()
})

/** Who may make this call, and on which delivery. */
function allowed(op: Op) {
  const { rows } = present(table[op][0])
  const rowsByStage: [Stage | undefined, Row][] =
    typeof rows === 'string' ? [[undefined, rows]] : (Object.entries(rows) as [Stage, Row][])
  for (const [stage, row] of rowsByStage)
    for (const role of roles)
      if (/^20[01]$/.test(cellsOf(row, roles)[role])) {
        const target = stage ? targetOf(fixture, 'account', stage) : defaultTarget(fixture, role)
        const token = tokenOf(fixture, role, target)
        if (token || role === 'none') return { role, target, token }
      }
}

test.each(Object.keys(endpoints) as Op[])('what %s asks of PostgreSQL', async (op) => {
  const { method, path } = endpoints[op]
  const by = allowed(op)
  if (!by) return expect(costs[op]).toBeUndefined()
  const probe = present(table[op][0])
  const id = (await probe.id?.(fixture, by.target, by.token)) ?? ''
  const body = probe.body?.(fixture, by.target, by.token)
  const ask = async () => {
    const asked = path.replace(/:\w+/, id)
    const answer = await fixture.server.raw(method, asked, { token: by.token, body })
    await answer.arrayBuffer()
  }
  // A first one may bring statistics up to date.
  if (method === 'GET') await ask()
  const counted = { statements: 0, rows: 0 }
  await calls.run(counted, ask)
  expect([counted.statements, counted.rows]).toEqual(costs[op])
})

test('R168: a price guide costs the offers of its way, and those of all while they are few', async () => {
  const counted = { statements: 0, rows: 0 }
  const ask = () => fixture.server.raw('GET', '/price-guide?from=Osu&to=Tema')
  await ask()
  const { status } = await calls.run(counted, ask)
  expect([status, counted.statements, counted.rows]).toEqual([200, 6, 25])
})

test('R182: a driver’s earnings cost one statement, and the rows of their own jobs', async () => {
  const counted = { statements: 0, rows: 0 }
  const { token } = present(targetOf(fixture, 'account', 'Approved').driver)
  const path = '/driver/earnings?from=2026-01-01&to=2026-12-31'
  const { status } = await calls.run(counted, () => fixture.server.raw('GET', path, { token }))
  expect([status, counted.statements, counted.rows]).toEqual([200, 2, 2])
})

test('R167: who is told of a job is found by the roads and one statement, however many ways it lies on', async () => {
  const { server, otherDriver } = fixture
  const counted = { statements: 0, rows: 0 }
  const commute = { from: 'Adenta', to: 'Accra Central', days: [...everyDay], notify: true }
  const job = { pickupZone: 'Madina', dropoffZone: 'Osu' }
  const found = await server.repo.transaction(async ({ users, zones, notifications }) => {
    const session = server.ports.secrets.hash(otherDriver.token)
    const keys = { endpoint: 'https://push.test', p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
    const subscription = { id: v7(), ...keys, owner: { session } }
    await notifications?.subscribe(subscription, new Date().toISOString())
    await users.change(otherDriver.user.ID, { commutes: [commute] })
    return calls.run(counted, async () =>
      notifications?.driversFor(toldTrips(await zones.list(), job, new Date()), 100),
    )
  })
  expect(found).toEqual([otherDriver.user.ID])
  expect([counted.statements, counted.rows]).toEqual([2, defaultZones.length + 1])
})
