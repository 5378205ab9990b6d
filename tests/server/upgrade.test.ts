import { createHash, randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { steps } from '#domain/delivery.ts'
import { openPostgres } from '#server/repo-postgres.ts'
import { prepareDatabase } from '#server/repo-postgres-role.ts'
import { quickPasswords } from '../helpers/dexie-server.ts'
import { ask } from '../helpers/postgres.ts'
import { photo, present, startTestServer, type TestServer } from '../helpers/server.ts'

/* A database exactly as version 1.2 left it (migrations 0000 to 0005) is served by this one. */

const password = 'correct horse battery'
const epoch = '00112233aabbccdd'
const now = new Date().toISOString()

type Old = { id: string; token: string; name: string; email: string; phone: string }
let people = 0
function person(name: string): Old {
  const n = ++people
  const email = `${name.toLowerCase()}@old.test`
  return {
    id: v7(),
    token: `u_${token()}`,
    name,
    email,
    phone: `02470000${`${n}`.padStart(2, '0')}`,
  }
}
const token = () => randomBytes(32).toString('base64url')
const hash = (text: string) => createHash('sha256').update(text).digest('hex')

const admin = { ...person('Admin'), email: 'admin@soma.local', phone: '0200000000' }
const senders = ['Ama', 'Esi', 'Abena', 'Akua', 'Adwoa', 'Yaa'].map(person)
const driversOld = ['Yaw', 'Kojo', 'Kwame', 'Kwesi', 'Kofi'].map(person)
const waiting = person('Waiting')
const turnedDown = person('Turned')
const statuses = [...steps, 'Cancelled']

type OldDelivery = { id: string; status: string; code: string; guestToken?: string; n: number }
const deliveries: OldDelivery[] = []

let server: TestServer
let ownerUrl: string
beforeAll(async () => {
  const name = `soma_old_${randomBytes(6).toString('hex')}`
  await ask(inject('postgresUrl'), `create database ${name}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  ownerUrl = url.href
  await asVersionBefore(ownerUrl)
  const prepared = await prepareDatabase(ownerUrl)
  expect(prepared.problem).toBeUndefined()
  const drop = () => ask(inject('postgresUrl'), `drop database ${name} with (force)`)
  const home = { url: prepared.url, open: () => openPostgres(prepared.url), drop }
  server = await startTestServer(home, { passwords: quickPasswords })
})
afterAll(async () => {
  await server.close()
  await server.home.drop()
})

/** Its tables and what was in them. */
async function asVersionBefore(url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'soma-migrations-'))
  cpSync(join(import.meta.dirname, '../../src/server/migrations'), folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  const entries = journal.entries.filter(({ idx }: { idx: number }) => idx <= 5)
  writeFileSync(file, JSON.stringify({ ...journal, entries }))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await migrate(drizzle(client), { migrationsFolder: folder })
    await fill(client)
  } finally {
    await client.end()
    rmSync(folder, { recursive: true })
  }
}

type Sql = (text: string, ...values: unknown[]) => Promise<unknown>

async function fill(client: pg.Client) {
  const sql: Sql = (text, ...values) => client.query(text, values)
  await sql(
    `insert into settings values ('epoch', $1), ('pepper', $2), ('choices seeded by', 'x')`,
    epoch,
    'ab'.repeat(32),
  )
  for (const name of ['Osu', 'Tema'])
    await sql(
      'insert into zones (id, name, name_key, at) values ($1, $2, lower($2), $3)',
      v7(),
      name,
      now,
    )
  await sql(
    `insert into items (id, name, name_key, at) values ($1, 'Documents', 'documents', $2)`,
    v7(),
    now,
  )
  await addUser(sql, admin, 'admin')
  for (const each of senders) await addUser(sql, each, 'sender')
  for (const each of driversOld) await addUser(sql, each, 'driver', 'approved')
  await addUser(sql, waiting, 'driver', 'pending')
  await addUser(sql, turnedDown, 'driver', 'rejected')
  for (const [n, status] of statuses.entries())
    for (const isGuest of [false, true]) await addDelivery(sql, status, n, isGuest)
  for (const [n, status] of ['open', 'resolved'].entries())
    await sql(
      `insert into disputes (id, delivery_id, issue, type, priority, created_at, status, resolution, resolved_at, resolved_by)
       values ($1, $2, 'Broken', 'sender_issue', 'medium', $3, $4, $5, $6, $7)`,
      ...[v7(), present(deliveries[n]).id, now, status],
      ...(status === 'open' ? [null, null, null] : ['Talked it over', now, admin.id]),
    )
  await sql(`insert into activities values ($1, 'user_signup', 'Ama signed up', $2)`, v7(), now)
  await sql(`insert into attempts values ($1, 'login:x', $2)`, v7(), now)
  await sql(`insert into requests values ('old', 'print', 200, '\\x00', $1)`, now)
  await sql(
    `insert into codes values ($1, 'verify', $2, 'hash', 0, $3)`,
    waiting.id,
    waiting.phone,
    now,
  )
}

async function addUser(
  sql: Sql,
  { id, name, email, phone, token }: Old,
  role: string,
  status?: string,
) {
  await sql(
    `insert into users (id, name, email, email_key, phone, role, verified, driver_status, password_hash, created_at)
     values ($1, $2, $3, $3, $4, $5, true, $6, $7, $8)`,
    ...[id, name, email, phone, role, status ?? null, await quickPasswords.hash(password), now],
  )
  if (status)
    await sql(
      `insert into applications (user_id, status, id_type, id_number, id_photo, created_at)
       values ($1, $2, 'ghana_card', 'GHA-123456789-0', $3, $4)`,
      ...[id, status, photo, now],
    )
  await sql(
    'insert into sessions (hash, user_id, used_at) values ($1, $2, $3)',
    hash(token),
    id,
    now,
  )
}

async function addDelivery(sql: Sql, status: string, n: number, isGuest: boolean) {
  const id = v7()
  const code = `4821${n}`
  const sender = isGuest ? undefined : present(senders[n])
  // The guests' jobs were taken by the drivers before the last one: one active job each.
  const isTaken = status !== 'Pending'
  const driver = isTaken ? driversOld[isGuest ? (n + 2) % 5 : n % 5] : undefined
  const contact = (each: Old | undefined) =>
    each && JSON.stringify({ id: each.id, name: each.name, phone: each.phone, email: each.email })
  await sql(
    `insert into deliveries (id, status, item_description, pickup_zone, dropoff_zone, pesewas, item_photo, recipient_name,
       recipient_phone, delivery_code, is_guest, sender_name, sender_phone, sender_id, sender, driver_id, driver, history,
       created_at, updated_at)
     values ($1, $2, 'Documents', 'Osu', 'Tema', 6050, $3, 'Recipient', '0550000001', $4, $5, $6, $7, $8, $9, $10, $11, $12,
       $13, $13)`,
    ...[id, status, photo, code, isGuest, sender?.name ?? 'A Guest', sender?.phone ?? '0249999999'],
    ...[sender?.id ?? null, contact(sender) ?? null, driver?.id ?? null, contact(driver) ?? null],
    ...[JSON.stringify([{ status, at: now }]), now],
  )
  const guestToken = isGuest ? `g_${token()}` : undefined
  if (guestToken) await sql('insert into guest_tokens values ($1, $2)', hash(guestToken), id)
  deliveries.push({ id, status, code, guestToken, n })
  const payer = sender ? `sender:${sender.id}` : `guest:${id}`
  await move(sql, id, 'hold', payer, `escrow:${id}`)
  if (status === 'Approved') await move(sql, id, 'release', `escrow:${id}`, `driver:${driver?.id}`)
  if (status === 'Cancelled') await move(sql, id, 'refund', `escrow:${id}`, payer)
}

const move = (sql: Sql, delivery: string, kind: string, from: string, to: string) =>
  sql(
    `with t as (insert into transfers values ($1, $2, $3, $4) returning id)
     insert into entries select t.id, e.a, e.p from t, (values ($5, -6050), ($6, 6050)) as e(a, p)`,
    ...[v7(), delivery, kind, now, from, to],
  )

async function get(path: string, token: string) {
  const answer = await server.raw('GET', path, { token })
  expect(answer.status, path).toBe(200)
  return answer.json()
}

const idsOf = ({ deliveries: rows }: { deliveries: { ID: string }[] }) =>
  rows.map(({ ID }) => ID).sort()

test('old sessions go on, and old passwords log in', async () => {
  for (const each of [admin, ...senders, ...driversOld, waiting, turnedDown]) {
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

test('every old delivery is on the lists of its two sides and of admins', async () => {
  const all = idsOf(await get('/admin/deliveries', admin.token))
  expect(all).toEqual(deliveries.map(({ id }) => id).sort())
  const own = await Promise.all(senders.map(({ token }) => get('/sender/deliveries', token)))
  expect(own.map((each) => each.deliveries.length)).toEqual(senders.map(() => 1))
  const jobs = await Promise.all(
    driversOld.map(({ token }) => get('/driver/my-deliveries?include_completed=true', token)),
  )
  expect(jobs.flatMap(idsOf)).toHaveLength(10)
  const offered = await get('/driver/available-deliveries', present(driversOld[4]).token)
  expect(offered.deliveries).toHaveLength(2)
  expect((await get('/admin/users', admin.token)).total).toBe(14)
  expect((await get('/admin/drivers', admin.token)).drivers).toHaveLength(7)
  expect((await get('/admin/disputes?status=all', admin.token)).disputes).toHaveLength(2)
  expect((await get('/admin/stats', admin.token)).stats).toMatchObject({
    totalDeliveries: 12,
    totalRevenue: 121,
  })
})

test('old guest tokens open their delivery, with its code', async () => {
  for (const { id, code, guestToken } of deliveries)
    if (guestToken)
      expect((await get(`/deliveries/${id}`, guestToken)).delivery).toMatchObject({
        ID: id,
        deliveryCode: code,
      })
})

describe('an old cursor', () => {
  test.each(['1', '700', '99999999999'])('%s is answered in full', async (number) => {
    const path = '/driver/my-deliveries?include_completed=true'
    for (const { token } of driversOld) {
      const whole = await get(path, token)
      const since = await get(`${path}&since=${epoch}-${number}`, token)
      expect(since.removed).toBeUndefined()
      expect(idsOf(since)).toEqual(idsOf(whole))
    }
  })
})

test('what was under way goes on to its end', async () => {
  const ofSenders = deliveries.filter(({ guestToken }) => !guestToken)
  const at = (status: string) => present(ofSenders.find((each) => each.status === status))
  const picked = at('Picked Up')
  const carrier = present(driversOld[picked.n % 5])
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

test('migrating again changes nothing', async () => {
  const dump = async () => (await server.pool().query('select * from deliveries order by id')).rows
  const before = await dump()
  await prepareDatabase(ownerUrl)
  expect(await dump()).toEqual(before)
})
