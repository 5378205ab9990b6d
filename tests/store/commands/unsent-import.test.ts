import { describe, expect, test } from 'vitest'
import { whyNotRestorable } from '#store/commands/set-aside.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as queries from '#store/queries/queries.ts'
import { unsentFile } from '#store/queries/unsent-file.ts'
import { checkRows } from '#store/row-checks.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'

type Device = ReturnType<typeof createDevice>

async function deviceOf(name: string): Promise<Device> {
  const device = createDevice()
  await signIn(device.db, person(name, 'sender'))
  return device
}

const exported = async ({ db }: Device) => (await unsentFile(db, Date.now())).text()

async function withRequest(device: Device, itemDescription = '<img src=x onerror=alert(1)>') {
  const draft = await filledDraft(device.commands, { itemDescription })
  const id = await device.commands.requestDelivery(draft, 'account')
  await device.commands.saveDraft(await filledDraft(device.commands, { itemDescription: 'Kente' }))
  return id
}

/** The file of somebody with one request, changed by hand. */
async function changed(change: (file: ReturnType<typeof JSON.parse>) => void) {
  const device = await deviceOf('ama')
  await withRequest(device)
  const file = JSON.parse(await exported(device))
  change(file)
  return JSON.stringify(file)
}

test('S58: on another phone an exported file brings entries, photos and draft back, once', async () => {
  const [old, fresh] = [await deviceOf('ama'), await deviceOf('ama')]
  const id = await withRequest(old)
  const file = await exported(old)
  expect(await fresh.commands.importFile(file)).toMatchObject({ added: 2, known: 0, setAside: 0 })
  const whole = async ({ db }: Device) => ({
    entries: (await db.outbox.toArray()).map((entry) => ({ ...entry, seq: 0, left: undefined })),
    photos: (await db.photos.toArray()).map(({ id: photo, bytes }) => [photo, bytes.byteLength]),
    draft: await queries.draft(db),
  })
  expect(await whole(fresh)).toEqual(await whole(old))
  expect(await deliveryQueries.deliveryRow(fresh.db, id)).toMatchObject({
    known: false,
    marks: [{ entry: id }],
  })
  const before = await whole(fresh)
  expect(await fresh.commands.importFile(file)).toMatchObject({ added: 0, known: 2, setAside: 0 })
  expect(await whole(fresh)).toEqual(before)
})

test('S58: what is done here is not done again by an imported file', async () => {
  const device = await deviceOf('ama')
  await withRequest(device)
  const file = await exported(device)
  await device.db.outbox.toCollection().modify({ state: 'done' })
  expect(await device.commands.importFile(file)).toMatchObject({ added: 0, known: 2, setAside: 0 })
  expect((await device.db.outbox.toArray()).map(({ state }) => state)).toEqual(['done', 'done'])
})

test('S58, S8: a file of another person is refused, and says whose it is', async () => {
  const [old, other] = [await deviceOf('ama'), await deviceOf('kojo')]
  await withRequest(old)
  await expect(other.commands.importFile(await exported(old))).rejects.toMatchObject({
    reason: 'not-allowed',
    message: 'ama made this file. Log in as that person to import it.',
  })
  expect(await other.db.outbox.count()).toBe(0)
})

describe('S58: a file that is not as it was exported is refused in plain words, and changes nothing', () => {
  test.each<[string, () => Promise<string> | string]>([
    ['no JSON', () => 'GIF89a'],
    ['nothing', () => ''],
    ['a list', () => '[]'],
    ['another app’s', () => changed((file) => Object.assign(file, { app: 'Other' }))],
    ['of a newer version', () => changed((file) => Object.assign(file, { version: 99 }))],
    ['of newer entries', () => changed((file) => Object.assign(file.items[0], { version: 99 }))],
    [
      'another person’s entry',
      () => changed((file) => Object.assign(file.items[0], { account: 'kojo' })),
    ],
    ['a done entry', () => changed((file) => Object.assign(file.items[1], { state: 'done' }))],
    [
      'an unknown operation',
      () => changed((file) => Object.assign(file.items[1], { what: 'constructor' })),
    ],
    [
      'an operation of the prototype',
      () => changed((file) => Object.assign(file.items[1], { what: '__proto__' })),
    ],
    [
      'a form of another kind',
      () => changed((file) => Object.assign(file.items[1], { details: { offer: 'x' } })),
    ],
    [
      'a photo that is a page',
      () => changed((file) => Object.assign(file.photos, { a: 'data:text/html;base64,PGI+' })),
    ],
    [
      'a photo at an address',
      () => changed((file) => Object.assign(file.photos, { a: 'https://evil.example/x.jpg' })),
    ],
    [
      'a huge photo',
      () =>
        changed((file) =>
          Object.assign(file.photos, { a: `data:image/jpeg;base64,${'A'.repeat(9_000_000)}` }),
        ),
    ],
    [
      'an endless text',
      () => changed((file) => Object.assign(file.items[0], { title: 'x'.repeat(5_000) })),
    ],
    [
      'a key that is markup',
      () => changed((file) => Object.assign(file.items[0], { id: '<script>' })),
    ],
  ])('%s', async (_, made) => {
    const device = await deviceOf('ama')
    const text = await made()
    await expect(device.commands.importFile(text)).rejects.toMatchObject({ name: 'Refusal' })
    expect(await device.db.outbox.count()).toBe(0)
    expect(await device.db.photos.count()).toBe(0)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

test('S58, S30: the file holds what was set aside, with its photos, and no token or code', async () => {
  const device = await deviceOf('ama')
  const id = await withRequest(device)
  const entry = await device.db.outbox.where('id').equals(id).first()
  await device.db.outbox
    .where('id')
    .equals(id)
    .modify({ op: 'teleport' } as never)
  await device.db.guests.put({ id: 'g', guestToken: 'secret-token', senderName: 3 } as never)
  await checkRows(device.db, 1)
  const text = await exported(device)
  const file = JSON.parse(text)
  expect(file.setAside.map(({ from }: { from: string }) => from)).toEqual(['outbox', 'guests'])
  expect(Object.keys(file.photos)).toContain(entry?.photos[0])
  expect(text).not.toContain('secret-token')
})

test('S58: a row set aside goes back once it can be read, and no sooner', async () => {
  const device = await deviceOf('ama')
  const { db, commands } = device
  const id = await withRequest(device)
  const [seq] = await db.outbox.where('id').equals(id).primaryKeys()
  await db.outbox
    .where('id')
    .equals(id)
    .modify({ op: 'teleport' } as never)
  await checkRows(db, 1)
  const [row] = await db.setAside.toArray()
  await expect(commands.restoreSetAside(row?.id ?? 0)).rejects.toMatchObject({ reason: 'invalid' })
  await db.setAside.update(row?.id ?? 0, { value: { ...Object(row?.value), op: 'createDelivery' } })
  await commands.restoreSetAside(row?.id ?? 0)
  expect(await db.setAside.count()).toBe(0)
  expect(await db.outbox.where('id').equals(id).first()).toMatchObject({ seq, state: 'waiting' })
  expect(await deliveryQueries.activeSent(db)).toMatchObject({ ID: id })
})

test('S58: what was set aside comes back from the file, once, and only for its person', async () => {
  const [old, fresh, other] = [await deviceOf('ama'), await deviceOf('ama'), await deviceOf('kojo')]
  const id = await withRequest(old)
  await old.db.outbox
    .where('id')
    .equals(id)
    .modify({ op: 'teleport' } as never)
  await old.db.guests.put({ id: 'g', guestToken: 'secret-token', senderName: 3 } as never)
  await checkRows(old.db, 1)
  const file = await exported(old)
  expect(await old.commands.importFile(file)).toMatchObject({ setAside: 0 })
  expect(await fresh.commands.importFile(file)).toMatchObject({ setAside: 2 })
  expect(await fresh.commands.importFile(file)).toMatchObject({ setAside: 0 })
  const rows = await fresh.db.setAside.toArray()
  expect(rows.map(({ from, account }) => [from, account])).toEqual([
    ['outbox', 'ama'],
    ['guests', undefined],
  ])
  expect(rows.map(whyNotRestorable)).toEqual([
    'This version of the app can’t read it. A newer one may.',
    'This version of the app can’t read it. A newer one may.',
  ])
  const theirs = JSON.stringify({ ...JSON.parse(file), account: 'kojo', items: [] })
  await expect(other.commands.importFile(theirs)).rejects.toMatchObject({ reason: 'not-allowed' })
  expect(await other.db.setAside.count()).toBe(0)
})

test('S58: a row that comes from the server needs no way back, and is told so', () => {
  for (const from of ['zones', 'constructor', '__proto__', 'toString'])
    expect(whyNotRestorable({ from, value: {} })).toMatch(/by itself/)
})
