import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { v7 } from 'uuid'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { prepareDatabase } from '#server/postgres/role/role.ts'
import {
  admin,
  createOldDatabase,
  deliveries,
  drivers,
  epoch,
  migrateUntil,
  password,
  pendingDriver,
  rejectedDriver,
  senders,
} from '../../../helpers/database/old-database.ts'
import { ask } from '../../../helpers/database/postgres.ts'
import { present, pushService, startTestServer } from '../../../helpers/server/server.ts'

/* This version serves a database of version 1.2 (migrations 0000 to 0005). */

const name = `soma_old_${randomBytes(6).toString('hex')}`
await ask(inject('postgresUrl'), `create database ${name}`)
const url = new URL(inject('postgresUrl'))
url.pathname = `/${name}`
const ownerUrl = url.href
await createOldDatabase(ownerUrl)
const prepared = await prepareDatabase(ownerUrl)
expect(prepared.problem).toBeUndefined()
const drop = () => ask(inject('postgresUrl'), `drop database ${name} with (force)`)
const database = { url: prepared.url, open: () => openPostgres(prepared.url), drop }
const migratedAt = Date.now()
const server = await startTestServer(database)
const query = async (text: string) => (await server.pool().query(text)).rows
const disputedAtFirst: string[] = (await query('select id from deliveries where disputed')).map(
  ({ id }) => id,
)
const dueAtFirst: { id: string; due_at: Date }[] = await query(
  'select id, due_at from deliveries where due_at is not null',
)
afterAll(async () => {
  await server.close()
  await server.database.drop()
})

async function get(path: string, token: string) {
  const answer = await server.raw('GET', path, { token })
  expect(answer.status, path).toBe(200)
  return answer.json()
}

const idsOf = ({ deliveries: rows }: { deliveries: { ID: string }[] }) =>
  rows.map(({ ID }) => ID).sort()

test('old sessions and old passwords still work', async () => {
  for (const each of [admin, ...senders, ...drivers, pendingDriver, rejectedDriver]) {
    expect((await get('/users/me', each.token)).user).toMatchObject({
      ID: each.id,
      name: each.name,
    })
    const { value } = await server.ask('login', { body: { email: each.email, password } })
    expect(value?.user.ID).toBe(each.id)
    // The old session is listed beside the new one, under an ID by which it can be ended.
    const { sessions } = await get('/sessions', each.token)
    expect(sessions).toHaveLength(2)
    expect(new Set(sessions.map(({ id }: { id: string }) => id)).size).toBe(2)
  }
})

test('every old delivery is on the lists of its parties and of admins', async () => {
  const all = idsOf(await get('/admin/deliveries', admin.token))
  expect(all).toEqual(deliveries.map(({ id }) => id).sort())
  const own = await Promise.all(senders.map(({ token }) => get('/sender/deliveries', token)))
  expect(own.map((each) => each.deliveries.length)).toEqual(senders.map(() => 1))
  const jobs = await Promise.all(
    drivers.map(({ token }) => get('/driver/my-deliveries?include_completed=true', token)),
  )
  expect(jobs.flatMap(idsOf)).toHaveLength(10)
  const offered = await get('/driver/available-deliveries', present(drivers[4]).token)
  expect(offered.deliveries).toHaveLength(2)
  expect((await get('/admin/users', admin.token)).total).toBe(14)
  expect((await get('/admin/drivers', admin.token)).drivers).toHaveLength(7)
  expect((await get('/admin/disputes?status=all', admin.token)).disputes).toHaveLength(2)
  expect((await get('/admin/stats', admin.token)).stats).toMatchObject({
    totalDeliveries: 12,
    totalRevenue: 121,
  })
})

test('R74: old names are found however they are typed, and as a process of the old version searches', async () => {
  const total = async (path: string) => (await get(path, admin.token)).total
  const count = async (table: string, column: string, pattern: string) => {
    const found = await query(`select 1 from ${table} where ${column} like lower('${pattern}')`)
    return found.length
  }
  for (const name of ['okomfo', pendingDriver.name, pendingDriver.name.normalize('NFD')])
    expect(await total(`/admin/users?search=${name}`)).toBe(1)
  expect(await total('/admin/deliveries?search=esi')).toBe(deliveries.length)
  expect(await count('users', 'search_text', `%${pendingDriver.name}%`)).toBe(1)
  expect(await count('delivery_search', 'text', '%Ɛsi%')).toBe(deliveries.length)
})

test('old guest tokens still open their delivery and its code', async () => {
  for (const { id, code, guestToken } of deliveries)
    if (guestToken)
      expect((await get(`/deliveries/${id}`, guestToken)).delivery).toMatchObject({
        ID: id,
        deliveryCode: code,
      })
})

describe('an old cursor', () => {
  test.each(['1', '700', '99999999999'])('%s gets the full list', async (number) => {
    const path = '/driver/my-deliveries?include_completed=true'
    for (const { token } of drivers) {
      const whole = await get(path, token)
      const since = await get(`${path}&since=${epoch}-${number}`, token)
      expect(since.removed).toBeUndefined()
      expect(idsOf(since)).toEqual(idsOf(whole))
    }
  })
})

test('active deliveries of the old version can be completed', async () => {
  const ofSenders = deliveries.filter(({ guestToken }) => !guestToken)
  const at = (status: string) => present(ofSenders.find((each) => each.status === status))
  const picked = at('Picked Up')
  const carrier = present(drivers[picked.n % 5])
  await server.ask('completeDelivery', {
    token: carrier.token,
    id: picked.id,
    body: { code: picked.code },
  })
  for (const { id, n } of [picked, at('Delivered')]) {
    const { token } = present(senders[n])
    await server.ask('changeStatus', { token, id, body: { status: 'Approved' } })
  }
  await server.ask('changeStatus', {
    token: present(senders[0]).token,
    id: at('Pending').id,
    body: { status: 'Cancelled' },
  })
  const { rows } = await server.pool().query('select sum(pesewas)::int as sum from entries')
  expect(rows).toEqual([{ sum: 0 }])
  expect((await get('/admin/stats', admin.token)).stats.totalRevenue).toBe(242)
  const { disputes } = await get('/admin/disputes', admin.token)
  const body = { status: 'resolved', resolution: 'Paid back' } as const
  await server.ask('resolveDispute', { token: admin.token, id: disputes[0].ID, body })
})

describe('R106, R108: what is due and what is disputed', () => {
  const marks = async (id: string) => {
    const found = await server
      .pool()
      .query('select due_at, disputed, updated_at from deliveries where id = $1', [id])
    return found.rows[0]
  }
  const hours = 3_600_000

  test('an open dispute of the old version blocks, a resolved one does not', async () => {
    expect(disputedAtFirst).toEqual([present(deliveries[0]).id])
  })

  test('each delivery that waited for approval is due 48 hours after the migration', () => {
    const waited = deliveries.filter(({ status }) => status === 'Delivered')
    expect(waited).toHaveLength(2)
    expect(dueAtFirst.map(({ id }) => id).sort()).toEqual(waited.map(({ id }) => id).sort())
    for (const { due_at } of dueAtFirst)
      expect(Math.abs(due_at.getTime() - migratedAt - 48 * hours)).toBeLessThan(hours)
  })

  test('what a process of the old version writes beside this one is due, ended and marked', async () => {
    const ofGuests = deliveries.filter(({ guestToken }) => guestToken)
    const { id } = present(ofGuests.find(({ status }) => status === 'Picked Up'))
    const sql = (text: string, ...values: unknown[]) => server.pool().query(text, values)
    await sql(`update deliveries set status = 'Delivered', updated_at = now() where id = $1`, id)
    const delivered = await marks(id)
    expect(delivered.due_at - delivered.updated_at).toBe(48 * hours)
    const dispute = v7()
    await sql(
      `insert into disputes (id, delivery_id, issue, type, priority, created_at, status)
       values ($1, $2, 'Late', 'sender_issue', 'low', now(), 'open')`,
      dispute,
      id,
    )
    expect((await marks(id)).disputed).toBe(true)
    await sql(`update disputes set status = 'resolved' where id = $1`, dispute)
    expect(await marks(id)).toMatchObject({ disputed: false, due_at: delivered.due_at })
    const paid = ofGuests.find(({ status }) => status === 'Delivered')
    await server.ask('changeGuestStatus', {
      token: present(paid?.guestToken),
      id: present(paid).id,
      body: { status: 'Approved', guestPhone: '0249999999' },
    })
    expect(await marks(present(paid).id)).toMatchObject({ due_at: null, disputed: false })
  })
})

test('R117, R121: old sessions and guest tokens can be told, and nothing is off for old accounts', async () => {
  const offered = present(
    deliveries.find(({ status, guestToken }) => status === 'Pending' && guestToken),
  )
  const free = present(drivers[4])
  const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
  for (const token of [free.token, present(senders[0]).token, present(offered.guestToken)]) {
    const body = { endpoint: `${pushService}/${token}`, keys }
    const { status } = await server.raw('POST', '/notifications/subscriptions', { token, body })
    expect(status).toBe(201)
  }
  expect((await get('/users/me', free.token)).user.notifications).toBeUndefined()
  await server.ask('acceptDelivery', { token: free.token, id: offered.id })
  const { rows } = await server
    .pool()
    .query('select kind, audience from notifications where delivery_id = $1', [offered.id])
  expect(rows).toEqual([{ kind: 'accepted', audience: 'guest' }])
  const body = { routes: [{ from: 'Osu', to: '*' }] }
  await server.ask('changeNotifications', { token: free.token, body })
  expect((await get('/users/me', free.token)).user.notifications.routes).toEqual(body.routes)
  await server.ask('logout', { token: free.token })
  const left = await server.pool().query('select endpoint from push_subscriptions')
  expect(left.rows).toHaveLength(2)
})

test('R166: routes become commutes, also where a process of the old version writes them', async () => {
  const name = `soma_routes_${randomBytes(6).toString('hex')}`
  await ask(inject('postgresUrl'), `create database ${name}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  const routes = ['Osu', 'Tema', 'Osu', 'Tema', 'Osu', 'Tema'].map((from, n) => ({
    from,
    to: n === 0 ? '*' : `Zone ${n}`,
  }))
  const chosen = [{ routes }, { routes: [] }, { quiet: { from: 0, to: 0 } }, null]
  await migrateUntil(url.href, '0022', async (client) => {
    for (const [n, notifications] of chosen.entries())
      await client.query(
        `insert into users (id, name, email, email_key, phone, role, verified, driver_status, password_hash, created_at, notifications)
         values ($1, 'Yaw', $2, $2, $3, 'driver', true, 'approved', '', now(), $4)`,
        [v7(), `${n}@old.test`, `024700010${n}`, notifications && JSON.stringify(notifications)],
      )
  })
  const { problem } = await prepareDatabase(url.href)
  expect(problem).toBeUndefined()
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const commutes = async () =>
    (await client.query('select commutes from users order by email')).rows.map(
      (row) => row.commutes,
    )
  const more = { days: [1, 2, 3, 4, 5, 6, 7], notify: true }
  const five = routes.slice(0, 5).map((route) => ({ ...route, ...more }))
  expect(await commutes()).toEqual([five, null, null, null])
  const written = JSON.stringify({ routes: routes.slice(0, 1) })
  await client.query('update users set notifications = $1', [written])
  expect(await commutes()).toEqual(chosen.map(() => five.slice(0, 1)))
  await client.end()
  await ask(inject('postgresUrl'), `drop database ${name} with (force)`)
})

test('R165: zones of the old version get their centres and the roads between them', async () => {
  const { zones } = await get('/zones', admin.token)
  expect(zones).toMatchObject([
    { Name: 'Osu', lat: 5.554, lng: -0.184 },
    { Name: 'Tema', lat: 5.645, lng: 0.002 },
  ])
})

test('migrating again changes nothing', async () => {
  const dump = async () => (await server.pool().query('select * from deliveries order by id')).rows
  const before = await dump()
  await prepareDatabase(ownerUrl)
  expect(await dump()).toEqual(before)
})

test('R41: what a process of the version before releases of a new delivery was promised', async () => {
  const made = await server.delivery(await server.sender())
  const [escrow, driver] = [`escrow:${made.ID}`, `driver:${v7()}`]
  await server.repo.transaction(({ ledger }) =>
    ledger.post({
      id: v7(),
      kind: 'release',
      deliveryId: made.ID,
      at: made.updatedAt,
      entries: [
        { account: escrow, pesewas: -6050 },
        { account: driver, pesewas: 6050 },
      ],
    }),
  )
  const balance = (account: string) => server.repo.read(({ ledger }) => ledger.balance(account))
  expect(await Promise.all([`promised:${made.ID}`, escrow, driver].map(balance))).toEqual([
    0, 0, 6050,
  ])
})
