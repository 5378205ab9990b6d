import { afterEach, expect, test } from 'vitest'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as lists from '#store/queries/lists.ts'
import * as queries from '#store/queries/queries.ts'
import { cachesIn } from '../../helpers/device/caches.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { onWrite } from '../../helpers/device/writes.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const caches = cachesIn(globalThis)
const { server, network, newPhone, startedPhone, driverPhone } = serverOfFile()

const full = () => {
  throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
}

/** From now on there is no room for a row, until something pulled is taken away. */
function fill({ db }: Phone, tables: ('outbox' | 'deliveries' | 'photos')[]) {
  let isFull = true
  stops.push(
    onWrite(db, ({ table, how }) => {
      if (how === 'delete' && ['deliveries', 'users'].includes(table)) isFull = false
      if (how === 'put' && isFull && tables.some((name) => name === table)) full()
    }),
  )
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A driver's phone that holds open jobs, and a request of its own that waits for the network. */
async function busyPhone() {
  for (let each = 0; each < 2; each++) await server().delivery(await server().sender())
  const phone = await driverPhone()
  await phone.settle()
  expect(await lists.available(phone.db)).not.toEqual([])
  network().cut()
  const kept = await filledDraft(phone.commands, { itemDescription: 'Kept' })
  await phone.commands.requestDelivery(kept, 'account')
  const typed = await filledDraft(phone.commands, { itemDescription: 'Typed' })
  await phone.commands.saveDraft(typed)
  return { phone, typed, photos: [present(kept.photo), present(typed.photo)] }
}

test('S26: on a full phone what can be fetched again makes way for what a person does', async () => {
  const { phone, typed, photos } = await busyPhone()
  fill(phone, ['outbox', 'photos'])
  const photo = await phone.commands.savePhoto(new ArrayBuffer(8), 'image/jpeg')
  expect(await queries.photo(phone.db, photo)).not.toBeNull()
  expect(await lists.available(phone.db)).toEqual([])
  // Never what only this phone has.
  for (const id of photos) expect(await queries.photo(phone.db, id)).not.toBeNull()
  expect(await queries.draft(phone.db)).toEqual(typed)
  expect(await queries.outboxSummary(phone.db)).toMatchObject({ unsent: 1, refused: 0 })
  expect(await deliveryQueries.activeSent(phone.db)).toMatchObject({
    view: { itemDescription: 'Kept' },
  })
  expect((await queries.syncStatus(phone.db)).eviction).toMatchObject({ room: 'made' })
  network().restore()
  await phone.settle()
  expect(await queries.outboxSummary(phone.db)).toMatchObject({ unsent: 0, refused: 0 })
  expect(await lists.available(phone.db)).not.toEqual([])
})

test('S26: a pull for which there is no room takes older lists away and goes on', async () => {
  const { phone } = await busyPhone()
  fill(phone, ['deliveries'])
  await server().delivery(await server().sender())
  network().restore()
  await phone.settle()
  const onOffer = (await server().adminDeliveries()).filter(({ status }) => status === 'Pending')
  expect((await lists.available(phone.db)).length).toBeGreaterThanOrEqual(onOffer.length - 1)
  expect((await queries.syncStatus(phone.db)).eviction).toMatchObject({ room: 'made' })
})

test('S26: where nothing helps the person is told, and nothing unsent is lost', async () => {
  const { phone, typed, photos } = await busyPhone()
  stops.push(onWrite(phone.db, ({ table }) => table === 'photos' && full()))
  await expect(phone.commands.savePhoto(new ArrayBuffer(8), 'image/jpeg')).rejects.toMatchObject({
    name: 'QuotaExceededError',
  })
  expect((await queries.syncStatus(phone.db)).eviction).toMatchObject({ room: 'none' })
  for (const id of photos) expect(await queries.photo(phone.db, id)).not.toBeNull()
  expect(await queries.draft(phone.db)).toEqual(typed)
  expect(await queries.outboxSummary(phone.db)).toMatchObject({ unsent: 1 })
})

test('S18, S26: what cannot be set aside for want of room keeps nothing else from starting', async () => {
  const { phone } = await busyPhone()
  await phone.db.zones.put({ ID: 'spoiled' } as never)
  await phone.kill()
  network().restore()
  const next = newPhone({ dbName: phone.db.name })
  const stop = onWrite(next.db, ({ table }) => table === 'setAside' && full())
  await next.start()
  expect(await queries.outboxSummary(next.db)).toMatchObject({ unsent: 0, refused: 0 })
  expect(await next.db.zones.get('spoiled')).toBeDefined()
  await next.kill()
  stop()
  // There is room again at the next start.
  const last = await startedPhone({ dbName: phone.db.name })
  expect(await last.db.zones.get('spoiled')).toBeUndefined()
  expect(await queries.quarantined(last.db)).toMatchObject([{ from: 'zones' }])
})

test.each([
  ['', ['soma-demo:/demo/:soma-images-2']],
  ['soma-demo:/demo/:', ['soma-images-2']],
])('S26: a full phone takes away the photos of its own place “%s” alone', async (prefix, left) => {
  caches.fill({ 'soma-images-2': [], 'soma-demo:/demo/:soma-images-2': [] })
  const phone = newPhone({ cachePrefix: prefix })
  let isFull = true
  stops.push(onWrite(phone.db, ({ table }) => table === 'photos' && isFull && full()))
  const kept = phone.commands.savePhoto(new ArrayBuffer(8), 'image/jpeg')
  await kept.catch(() => {})
  isFull = false
  expect(caches.names()).toEqual(left)
})
