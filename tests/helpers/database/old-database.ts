import { createHash, randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { v7 } from 'uuid'
import { timelineStatuses } from '#domain/deliveries/delivery.ts'
import { quickPasswords } from '../server/quick-passwords.ts'
import { photo, present } from '../server/server.ts'

/* A database written by version 1.2: one delivery of each status for each kind of owner. */

export const password = 'correct horse battery'
export const epoch = '00112233aabbccdd'
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

export const admin = { ...person('Admin'), email: 'admin@soma.local', phone: '0200000000' }
export const senders = ['Ama', 'Esi', 'Abena', 'Akua', 'Adwoa', 'Yaa'].map(person)
export const drivers = ['Yaw', 'Kojo', 'Kwame', 'Kwesi', 'Kofi'].map(person)
export const pendingDriver = { ...person('Waiting'), name: 'Ɔkɔmfo' }
export const rejectedDriver = person('Turned')
const statuses = [...timelineStatuses, 'Cancelled']

type OldDelivery = { id: string; status: string; code: string; guestToken?: string; n: number }
export const deliveries: OldDelivery[] = []

/** Creates the tables of version 1.2 (migrations 0000 to 0005) and fills them. */
export async function createOldDatabase(url: string) {
  deliveries.splice(0)
  await migrateUntil(url, '0005', fill)
}

/** Runs the migrations up to the one whose name begins so, then `then`. */
export async function migrateUntil(
  url: string,
  last: string,
  then: (client: pg.Client) => Promise<unknown>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'soma-migrations-'))
  cpSync(join(import.meta.dirname, '../../../src/server/postgres/migrations'), folder, {
    recursive: true,
  })
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  const entries = journal.entries.filter(({ tag }: { tag: string }) => tag.slice(0, 4) <= last)
  writeFileSync(file, JSON.stringify({ ...journal, entries }))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await migrate(drizzle(client), { migrationsFolder: folder })
    await then(client)
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
  for (const each of drivers) await addUser(sql, each, 'driver', 'approved')
  await addUser(sql, pendingDriver, 'driver', 'pending')
  await addUser(sql, rejectedDriver, 'driver', 'rejected')
  for (const [n, status] of statuses.entries())
    for (const isGuest of [false, true]) await addDelivery(sql, status, n, isGuest)
  for (const [n, status] of ['open', 'resolved'].entries())
    await sql(
      `insert into disputes (id, delivery_id, issue, type, priority, created_at, status, resolution, resolved_at, resolved_by)
       values ($1, $2, 'Broken', 'sender_issue', 'medium', $3, $4, $5, $6, $7)`,
      v7(),
      present(deliveries[n]).id,
      now,
      status,
      ...(status === 'open' ? [null, null, null] : ['Talked it over', now, admin.id]),
    )
  await sql(`insert into activities values ($1, 'user_signup', 'Ama signed up', $2)`, v7(), now)
  await sql(`insert into attempts values ($1, 'login:x', $2)`, v7(), now)
  await sql(`insert into requests values ('old', 'print', 200, '\\x00', $1)`, now)
  await sql(
    `insert into codes values ($1, 'verify', $2, 'hash', 0, $3)`,
    pendingDriver.id,
    pendingDriver.phone,
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
    id,
    name,
    email,
    phone,
    role,
    status ?? null,
    await quickPasswords.hash(password),
    now,
  )
  if (status)
    await sql(
      `insert into applications (user_id, status, id_type, id_number, id_photo, created_at)
       values ($1, $2, 'ghana_card', 'GHA-123456789-0', $3, $4)`,
      id,
      status,
      photo,
      now,
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
  // Guests' deliveries get other drivers than senders' ones: a driver has one active job (R29).
  const isTaken = status !== 'Pending'
  const driver = isTaken ? drivers[isGuest ? (n + 2) % 5 : n % 5] : undefined
  const contact = (each: Old | undefined) =>
    each && JSON.stringify({ id: each.id, name: each.name, phone: each.phone, email: each.email })
  await sql(
    `insert into deliveries (id, status, item_description, pickup_zone, dropoff_zone, pesewas, item_photo, recipient_name,
       recipient_phone, delivery_code, is_guest, sender_name, sender_phone, sender_id, sender, driver_id, driver, history,
       created_at, updated_at)
     values ($1, $2, 'Documents', 'Osu', 'Tema', 6050, $3, 'Ɛsi', '0550000001', $4, $5, $6, $7, $8, $9, $10, $11, $12,
       $13, $13)`,
    id,
    status,
    photo,
    code,
    isGuest,
    sender?.name ?? 'A Guest',
    sender?.phone ?? '0249999999',
    sender?.id ?? null,
    contact(sender) ?? null,
    driver?.id ?? null,
    contact(driver) ?? null,
    JSON.stringify([{ status, at: now }]),
    now,
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
    v7(),
    delivery,
    kind,
    now,
    from,
    to,
  )
