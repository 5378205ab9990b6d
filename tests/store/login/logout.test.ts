import { Dexie, type Table } from 'dexie'
import { v7 } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { emptyDraft } from '#domain/deliveries/draft.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as queries from '#store/queries/queries.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { cachesIn } from '../../helpers/device/caches.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { holdsCode } from '../../helpers/holds-code.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, startedPhone, phoneOf } = serverOfFile()

/** What belongs to the account and must not be found anywhere on the phone once it is logged out. */
const secret = {
  name: 'Adwoa Secret',
  phone: '0249998877',
  code: '73519',
  token: 'the-token-of-adwoa',
  /** Bytes of a photo, as the dump writes them. */
  photo: '251,17,203,99',
}
const text = `${secret.name} ${secret.phone} ${secret.code} ${secret.token}`
const bytes = new Uint8Array(secret.photo.split(',').map(Number)).buffer

/** A row of the account for each table, or `undefined` for those that hold nobody's rows. */
type Rows = Record<string, ((account: string) => object) | undefined>
const rows: Rows = {
  deliveries: (account) => ({
    account,
    ID: v7(),
    known: true,
    marks: [],
    sentAt: '2026',
    view: { recipientName: secret.name, recipientPhone: secret.phone, deliveryCode: secret.code },
  }),
  outbox: (account) => ({
    id: v7(),
    account,
    op: 'changePhone',
    lane: 'account',
    after: [],
    photos: [],
    v: 2,
    input: { phone_number: secret.phone },
    state: 'done',
    occurredAt: '2026-11-01T08:00:00.000Z',
    title: text,
    endedAt: Date.now(),
  }),
  photos: (account) => ({ id: v7(), account, bytes, type: 'image/jpeg', keptAt: Date.now() }),
  drafts: (account) => ({
    account,
    kind: 'send',
    value: { ...emptyDraft, recipientName: secret.name, recipientPhone: secret.phone },
  }),
  sessions: undefined,
  guests: undefined,
  aliases: (account) => ({ account, local: text, server: 'b' }),
  zones: undefined,
  items: undefined,
  users: (account) => ({ account, ID: v7(), name: secret.name }),
  drivers: (account) => ({ account, ID: v7(), Status: 'pending', User: { Name: secret.name } }),
  devices: (account) => ({ account, code: 'K7QX2MPD', user: { Name: secret.name } }),
  handovers: (account) => ({ account, ID: v7(), secret: secret.token }),
  places: (account) => ({
    account,
    key: text,
    zone: 'Osu',
    place: { text, note: secret.phone },
    usedAt: 1,
  }),
  disputes: (account) => ({ account, ID: v7(), issue: text }),
  activities: (account) => ({ account, ID: v7(), CreatedAt: '2026', Message: text }),
  stats: (account) => ({ account, note: text }),
  trends: (account) => ({ account, note: text }),
  money: (account) => ({ account, note: text }),
  payouts: (account) => ({ account, ID: v7(), message: text }),
  pages: (account) => ({ account, list: 'adminUsers', query: text, ids: [], total: 1, at: 1 }),
  pulls: (account) => ({ account, list: `adminUsers?search=${text}`, at: 1 }),
  ownSessions: (account) => ({ account, id: v7(), device: text }),
  audit: (account) => ({ account, ID: v7(), Subject: text }),
  setAside: (account) => ({
    from: 'sent',
    value: { recipientName: text },
    why: '',
    at: 1,
    account,
  }),
  meta: (account) => ({ key: `failing:adminUsers?search=${text}&${account}`, value: true }),
  revocations: undefined,
}

/** Everything a phone keeps, as text; what waits to be revoked is the one token that may stay. */
async function dump(db: SomaDb, besides: string[] = []): Promise<string> {
  const parts: string[] = []
  for (const table of db.tables as Table[])
    if (!besides.includes(table.name))
      parts.push(`${table.name}: ${JSON.stringify(await table.toArray(), asText)}`)
  return parts.join('\n')
}

const asText = (_: string, value: unknown) =>
  value instanceof ArrayBuffer || ArrayBuffer.isView(value)
    ? [...new Uint8Array(value as ArrayBuffer)].join(',')
    : value

const found = (all: string) =>
  Object.values(secret).filter((each) =>
    each === secret.code ? holdsCode(all, each) : all.includes(each),
  )

/** One row in every table, of the account that is logged in; the phone of the account says who it is. */
async function fillEveryTable(db: SomaDb): Promise<string> {
  const session = present(await db.sessions.get('current'))
  const user = { ...session.user, name: secret.name, phone_number: secret.phone }
  await db.sessions.put({ ...session, user })
  for (const table of db.tables as Table[]) {
    const row = rows[table.name]?.(session.account)
    if (row) await table.add(row)
  }
  return session.account
}

let phone: Phone
const caches = cachesIn(globalThis)
beforeEach(async () => {
  caches.fill({
    'soma-images': [secret.photo],
    'soma-images-2': [secret.photo],
    'soma-app-1': ['app'],
    'soma-demo:/demo/:soma-images-2': ['demo'],
  })
  phone = await phoneOf(await server().sender())
})

describe('S38: what a logout leaves on the phone', () => {
  test('the fixtures fill every table that holds rows of an account', async () => {
    const names = (phone.db.tables as Table[]).map(({ name }) => name)
    expect(Object.keys(rows).sort()).toEqual(names.sort())
    await fillEveryTable(phone.db)
    const all = await dump(phone.db)
    expect(found(all)).toEqual(Object.values(secret))
    for (const [table, row] of Object.entries(rows))
      if (row) expect(await phone.db.table(table).count(), table).toBeGreaterThan(0)
  })

  const ways: Record<string, (account: string) => Promise<unknown>> = {
    'a logout': () => phone.session.logout('discard'),
    'a logout with no network': () => {
      network().cut()
      return phone.session.logout('discard')
    },
    'another person who logs in over it': async () => {
      const other = await server().sender()
      await phone.commands.clearDraft()
      await phone.session.login(other.email, other.password)
    },
    'a token the server no longer takes': async () => {
      await phone.commands.clearDraft()
      await server().endSessions(phone)
      await phone.settle()
    },
    'local storage that was cleared': async (account) => {
      await phone.commands.clearDraft()
      await phone.session.clear(account)
    },
  }

  test.each(Object.keys(ways))('nothing of the account after %s', async (way) => {
    const account = await fillEveryTable(phone.db)
    await ways[way]?.(account)
    const all = await dump(phone.db, ['revocations'])
    expect(found(all)).toEqual([])
    expect(all.includes(account), 'the ID of the account').toBe(false)
    expect((await phone.db.sessions.get('current'))?.account).not.toBe(account)
    expect(caches.names()).toEqual(['soma-app-1', 'soma-demo:/demo/:soma-images-2'])
  })

  test('what is unsent and kept stays whole, with its photo and its draft, and nothing else', async () => {
    network().cut()
    const draft = await filledDraft(phone.commands, { recipientName: 'Kept Recipient' })
    const id = await phone.commands.requestDelivery(draft, 'account')
    const typed = await filledDraft(phone.commands, { recipientName: 'Typed Recipient' })
    const account = await fillEveryTable(phone.db)
    await phone.db.drafts.put({ account: present(account), kind: 'send', value: typed })
    expect(await phone.session.unsentCount()).toBe(2)
    await phone.session.logout('keep')
    expect(found(await dump(phone.db, ['revocations']))).toEqual([])
    expect(await phone.db.outbox.count()).toBe(2)
    expect(await queries.photo(phone.db, present(draft.photo))).not.toBeNull()
    expect(await queries.photo(phone.db, present(typed.photo))).not.toBeNull()
    expect((await phone.db.drafts.toArray())[0]?.value).toEqual(typed)
    expect(await phone.db.deliveries.get([present(account), id])).toMatchObject({ known: false })
  })

  test('a delivery whose act is unsent is kept without its code', async () => {
    const account = present((await phone.db.sessions.get('current'))?.account)
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await phone.settle()
    const code = present((await deliveryQueries.deliveryRow(phone.db, id))?.view.deliveryCode)
    network().cut()
    await phone.commands.cancelDelivery(id)
    await phone.session.logout('keep')
    expect(await phone.db.deliveries.get([account, id])).toMatchObject({ marks: [{}] })
    expect(holdsCode(await dump(phone.db), code)).toBe(false)
  })

  test('an answer that comes after the logout leaves nothing behind', async () => {
    const account = present((await phone.db.sessions.get('current'))?.account)
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    network().hold((request) => (request.method === 'POST' ? held : undefined))
    await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    const round = phone.settle()
    await expect.poll(() => phone.db.outbox.where('state').equals('sending').count()).toBe(1)
    const out = phone.session.logout('keep')
    await expect.poll(() => phone.db.sessions.count()).toBe(0)
    answer()
    await Promise.all([round, out])
    await phone.settle()
    const left = await phone.db.outbox.toArray()
    expect(left.filter(({ state }) => state === 'done' || state === 'cancelled')).toEqual([])
    expect(left.every((entry) => entry.account === account)).toBe(true)
  })

  test('photos that a killed page had no time to delete go at the next start', async () => {
    const keys = globalThis.caches.keys
    globalThis.caches.keys = () => new Promise(() => {})
    // It ends with the page.
    void phone.session.logout('keep').catch(() => undefined)
    await expect.poll(() => phone.db.sessions.count()).toBe(0)
    await phone.kill()
    globalThis.caches.keys = keys
    expect(caches.names()).toContain('soma-images-2')
    await startedPhone({ dbName: phone.db.name })
    expect(caches.names()).toEqual(['soma-app-1', 'soma-demo:/demo/:soma-images-2'])
  })

  test('a guest request stays, whoever logs out', async () => {
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    await phone.settle()
    await phone.session.logout('discard')
    expect(await phone.db.guests.get(id)).toMatchObject({ senderName: 'Ama' })
    expect(await phone.db.deliveries.get([guestAccount, id])).toBeDefined()
  })

  test('what an earlier version left of somebody who logged out goes at the next start', async () => {
    await phone.kill()
    const db = new Dexie(phone.db.name)
    await db.open()
    for (const table of db.tables) {
      const row = rows[table.name]?.('somebody who is long gone')
      if (row && table.name !== 'drafts' && table.name !== 'meta') await table.add(row)
    }
    db.close()
    const next = await startedPhone({ dbName: phone.db.name })
    expect(found(await dump(next.db))).toEqual([])
  })
})
