import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Dexie } from 'dexie'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { confirmGuestPhone } from '#server/notifications/guest-phones.ts'
import type { Entry } from '#store/entries/operations.ts'
import { checkRows } from '#store/maintenance/row-checks.ts'
import * as queries from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { SomaDb } from '#store/soma-db.ts'
import { isUnsent } from '#sync/database/entry.ts'
import { createClock, createNetwork, createPhone } from '../../helpers/device/phone.ts'
import { photo, present } from '../../helpers/server/server.ts'
import { serverFixture } from '../../server/server-fixture.ts'

/*
 * `version-before.json` is the database of a phone, written by the commands and the engine of the
 * version before the store was divided into engine and product. Its outbox holds an entry in every
 * state. Names in double braces stand for IDs and tokens that only the server of a test run knows.
 */

type Fixture = {
  /** By the phone's clock, milliseconds since 1970. */
  writtenAt: number
  /** The deliveries that the server knew: their IDs are their request keys. */
  deliveries: { guestSent: string; done: string }
  /** Its tables and their indexes, of version 3 of the schema. */
  stores: Record<string, string>
  tables: Record<string, unknown[]>
  storage: Record<string, string>
}

const text = readFileSync(join(import.meta.dirname, 'version-before.json'), 'utf8')
const { writtenAt, deliveries } = JSON.parse(text) as Fixture
const hour = 3_600_000

const clock = createClock(writtenAt)
const server = await serverFixture({ clock: clock.now })
const names = await serverAsBefore()
const fixture: Fixture = JSON.parse(
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => present(names[name])),
  (_, value) =>
    typeof value?.$bytes === 'string'
      ? new Uint8Array(Buffer.from(value.$bytes, 'base64')).buffer
      : value,
)

/** Brings the server to where it was when the phone wrote its database; returns its IDs and tokens. */
async function serverAsBefore(): Promise<Record<string, string>> {
  const sender = await server.sender()
  const driver = await server.driver()
  const about = { itemDescription: 'Sent' }
  const done = await server.delivery(sender, about, deliveries.done)
  await server.drive(done, driver, 'Delivered')
  const body = {
    ...server.request({ itemDescription: 'Guest sent' }),
    senderName: 'Ama',
    senderPhone: '0244999999',
  }
  const guest = await server.ask('createGuestDelivery', { key: deliveries.guestSent, body })
  // Their number is confirmed: the queue holds more requests than an unknown number may have open.
  const at = new Date(clock.now()).toISOString()
  await server.repo.transaction((stores) =>
    confirmGuestPhone(stores, server.ports.secrets, body.senderPhone, at),
  )
  return {
    sender: sender.user.ID,
    senderToken: sender.token,
    senderEmail: sender.email,
    senderPhone: sender.phone,
    driver: driver.user.ID,
    guestToken: present(present(guest.value).guestToken),
  }
}

/** A phone's database as a version before left it; returns its name. */
async function storedByVersionBefore(version = 3, tables = fixture.tables): Promise<string> {
  const name = `version-before-${v7()}`
  const before = new Dexie(name)
  before.version(version).stores(fixture.stores)
  for (const [table, rows] of Object.entries(tables)) await before.table(table).bulkAdd(rows)
  before.close()
  return name
}

const entriesOf = () => fixture.tables.outbox as Entry[]
const unsentOf = (op: RegExp) => entriesOf().filter((each) => isUnsent(each) && op.test(each.op))

/** A delivery whose approval waits in the queue is not over yet (R30); that version took it for over. */
function withUnconfirmedEnd(row: unknown) {
  const { marks, server } = row as DeliveryRow
  const isEnding = marks.some((mark) => mark.op === 'approveDelivery' && isUnsent(mark))
  return isEnding && server?.status === 'Delivered'
    ? { ...(row as object), active: 'delivery' }
    : row
}

/** An upload is a part of another entry (S28); a report is sent after an approval that it would block (R108). */
function upgradedEntry(row: unknown): unknown {
  const entry = row as Entry
  if (entry.op === 'uploadPhoto') return { ...entry, isPart: 1 }
  if (entry.op !== 'reportIssue' || !isUnsent(entry)) return entry
  return { ...entry, follows: [present(unsentOf(/^approveDelivery$/)[0]).id] }
}

/** What the upgrade adds to each row. */
const upgraded: Record<string, (row: unknown) => unknown> = {
  deliveries: withUnconfirmedEnd,
  outbox: upgradedEntry,
}
const same = (row: unknown) => row

test('S18: a database of the version before opens with every row as it was', async () => {
  const db = new SomaDb(await storedByVersionBefore())
  expect(new Set(entriesOf().map(({ state }) => state))).toEqual(
    new Set(['waiting', 'sending', 'retrying', 'parked', 'refused', 'done', 'cancelled']),
  )
  expect(await checkRows(db, writtenAt)).toBe(0)
  for (const [table, rows] of Object.entries(fixture.tables))
    expect(await db.table(table).toArray(), table).toEqual(rows.map(upgraded[table] ?? same))
  expect(await queries.draft(db)).toMatchObject({ itemDescription: 'Draft' })
  db.close()
})

test('S1, S7: the queue of the version before is sent once, and what was settled stays', async () => {
  const network = createNetwork((request) => server.fetch(request))
  const phone = createPhone(network, { dbName: await storedByVersionBefore(), clock })
  for (const [key, value] of Object.entries(fixture.storage)) phone.storage.set(key, value)
  clock.pass(hour)
  await phone.start()
  await phone.settle()
  const states = async () =>
    Object.fromEntries((await phone.db.outbox.toArray()).map(({ id, state }) => [id, state]))
  const expected = Object.fromEntries(
    entriesOf().map((each) => [
      each.id,
      isUnsent(each) && each.state !== 'parked' ? 'done' : each.state,
    ]),
  )
  expect(await states()).toEqual(expected)

  clock.pass(24 * hour)
  await phone.settle()
  const [parked] = entriesOf().filter(({ state }) => state === 'parked')
  expect(await states()).toEqual({ ...expected, [present(parked).id]: 'done' })

  await expectEachSentOnce(network.passed)
  const refused = entriesOf().filter(({ state }) => state === 'refused')
  expect(await phone.db.outbox.where('state').equals('refused').toArray()).toEqual(refused)
  expect(await phone.db.setAside.count()).toBe(0)
  expect(await queries.draft(phone.db)).toMatchObject({ itemDescription: 'Draft' })
  expect(await phone.db.sessions.get('current')).toMatchObject({
    account: fixture.tables.sessions?.[0] && (fixture.tables.sessions[0] as Entry).account,
  })
  await phone.kill()
})

/** The same phone under schema 7, which asked for the rows of what it took back: an approval, a cancel, a phone number. */
function tablesWithTakenBack() {
  const [approval] = unsentOf(/^approveDelivery$/)
  const [change] = unsentOf(/^changePhone$/)
  const taking = { state: 'parked', left: true, takingBack: true, answersWithout: 1, nextAt: 9e15 }
  const cancel = { ...present(approval), id: v7(), seq: 99, op: 'cancelDelivery', ...taking }
  const outbox = entriesOf().map((entry) => {
    if (entry === approval) return { ...entry, ...taking }
    return entry === change ? { ...entry, left: true, state: 'cancelled', gaveUp: true } : entry
  })
  const rows = fixture.tables.deliveries as DeliveryRow[]
  const deliveries = rows.map((row) => ({
    ...row,
    aheadAt: 7,
    marks: row.marks.map((mark) =>
      mark.entry === approval?.id ? { ...mark, state: 'parked', takingBack: true } : mark,
    ),
  }))
  const meta = [...present(fixture.tables.meta), { key: 'taken:ama', value: [] }]
  const ids = { approval: present(approval).id, cancel: cancel.id, change: present(change).id }
  return { ids, tables: { ...fixture.tables, outbox: [...outbox, cancel], deliveries, meta } }
}

test('S56: what a version before took back is withdrawn by this one, and the rest is sent', async () => {
  const { ids, tables } = tablesWithTakenBack()
  const [approval] = unsentOf(/^approveDelivery$/)
  const { id } = present(approval).input as { id: string }
  const token = present(fixture.storage.token)
  const body = { status: 'Approved' as const }
  // It had arrived.
  await server.ask('changeStatus', { key: ids.approval, id, token, body })
  const phone = createPhone(
    createNetwork((request) => server.fetch(request)),
    { dbName: await storedByVersionBefore(7, tables), clock },
  )
  for (const [key, value] of Object.entries(fixture.storage)) phone.storage.set(key, value)
  const row = await phone.db.deliveries.get([present(approval).account, id])
  expect(row?.marks.find(({ entry }) => entry === ids.approval)).toMatchObject({
    state: 'waiting',
    withdrawal: 'asked',
  })
  expect(await phone.db.meta.get('taken:ama')).toBeUndefined()
  clock.pass(24 * hour)
  await phone.start()
  await phone.settle()
  const entries = await phone.db.outbox.toArray()
  const ended = new Map(entries.map((entry) => [entry.id, entry]))
  expect(ended.get(ids.approval)).toMatchObject({ state: 'done', withdrawal: 'asked' })
  expect(ended.get(ids.cancel)).toMatchObject({ state: 'cancelled', withdrawal: 'asked' })
  expect(ended.get(ids.change)).toMatchObject({ state: 'cancelled', withdrawal: 'unknown' })
  expect(entries.filter(isUnsent)).toEqual([])
  for (const name of ['takingBack', 'answersWithout', 'gaveUp'])
    expect(entries.some((entry) => name in entry)).toBe(false)
  await phone.kill()
})

/** One request for each entry that was not sent, and one delivery on the server for each that was asked for. */
async function expectEachSentOnce(passed: readonly { path: string; key: string | null }[]) {
  const requests = unsentOf(/^(?!uploadPhoto)/).map(({ id }) => id)
  expect(passed.flatMap(({ key }) => key ?? []).sort()).toEqual(requests.sort())
  const uploads = passed.filter(({ path }) => path === '/api/images/upload')
  expect(uploads).toHaveLength(unsentOf(/^uploadPhoto$/).length)
  const { token } = await server.admin()
  const all = present((await server.ask('adminDeliveries', { token })).value).deliveries
  const asked = unsentOf(/^create/).map(({ id }) => id)
  expect(all.map(({ ID }) => ID).sort()).toEqual([...Object.values(deliveries), ...asked].sort())
  expect(all.find(({ ID }) => ID === deliveries.done)?.status).toBe('Approved')
  expect(all.every(({ itemPhoto }) => itemPhoto?.startsWith(new URL(photo).origin))).toBe(true)
  const disputes = present((await server.ask('adminDisputes', { token })).value).disputes
  expect(disputes).toHaveLength(unsentOf(/^reportIssue$/).length)
}
