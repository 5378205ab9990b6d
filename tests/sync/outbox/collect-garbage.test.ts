import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { emptyDraft } from '#domain/deliveries/draft.ts'
import { SomaDb } from '#store/soma-db.ts'
import type { OutboxEntry } from '#sync/database/entry.ts'
import { entryOf } from '#sync/outbox/enqueue.ts'
import { filledDraft, jpeg } from '../../helpers/device/device.ts'
import { createClock } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../server-fixture.ts'

const { network, newPhone, startedPhone } = serverOfFile()
const hour = 3_600_000
const day = 24 * hour
const year = 365 * day

/** A photo that a page before this one has left. */
const leavePhoto = async (db: SomaDb, clock: { now: () => number }, account = 'guest') => {
  const id = v7()
  await db.photos.add({ id, account, bytes: jpeg, type: 'image/jpeg', keptAt: clock.now() })
  return id
}

/** One page after another on one phone, each open for a moment. */
async function visit(dbName: string, clock = createClock()) {
  const phone = await startedPhone({ dbName, clock })
  await phone.engine.wake()
}

test('S11: a photo of a retake or a visitor that nothing names goes within a day, with nothing ever queued', async () => {
  const clock = createClock()
  const phone = newPhone({ clock })
  const left = await leavePhoto(phone.db, clock)
  await phone.start()
  expect(await phone.db.photos.get(left)).toBeDefined()
  for (let at = 0; at < 24; at++) {
    clock.pass(hour)
    await phone.engine.wake()
  }
  expect(await phone.db.photos.count()).toBe(0)
})

test('S11: what a draft, an entry, a row set aside or an open form names is kept for as long as it does', async () => {
  const clock = createClock()
  const cut = network()
  const phone = await startedPhone({ clock }, cut)
  cut.cut()
  const queued = await filledDraft(phone.commands)
  await phone.commands.requestDelivery(queued, 'guest')
  const [typed, aside, nested] = [
    await leavePhoto(phone.db, clock),
    await leavePhoto(phone.db, clock),
    await leavePhoto(phone.db, clock),
  ]
  await phone.commands.saveDraft({ ...emptyDraft, photo: typed })
  const row = { from: 'outbox', why: '', at: 1 }
  await phone.db.setAside.bulkAdd([
    { ...row, value: { photos: [aside] } },
    { ...row, value: { input: { parts: [{ picture: nested }] } } },
  ])
  const inForm = await phone.commands.savePhoto(jpeg, 'image/jpeg')
  for (let at = 0; at < 10; at++) {
    clock.pass(36 * hour)
    await phone.engine.wake()
  }
  const kept = (await phone.db.photos.toArray()).map(({ id }) => id).sort()
  expect(kept).toEqual([queued.photo, typed, aside, nested, inForm].sort())
})

test('S11: the photo of an entry that is refused or done is kept for as long as the entry is', async () => {
  const clock = createClock()
  const phone = await startedPhone({ clock })
  const photos: string[] = []
  for (const state of ['refused', 'done'] as const) {
    const photo = await leavePhoto(phone.db, clock)
    const made = entryOf<OutboxEntry>({
      id: v7(),
      account: 'guest',
      op: 'uploadPhoto',
      lane: `photo:${photo}`,
      input: { photo },
      photos: [photo],
      title: 'Laptop',
      occurredAt: new Date(clock.now()).toISOString(),
    })
    await phone.db.outbox.add({ ...made, state, endedAt: clock.now() } as never)
    photos.push(photo)
  }
  for (let at = 0; at < 15; at++) {
    clock.pass(4 * hour)
    await phone.engine.wake()
  }
  expect(await phone.db.outbox.count()).toBe(2)
  expect(await phone.db.photos.bulkGet(photos)).not.toContain(undefined)
})

test.each([
  ['a year ahead', year],
  ['a year back', -year],
])(
  'S55: a photo taken before the page was killed survives a clock that is set %s',
  async (_, jump) => {
    const dbName = `phone-${v7()}`
    const clock = createClock()
    const db = new SomaDb(dbName)
    const id = await leavePhoto(db, clock)
    await visit(dbName, clock)
    clock.pass(jump)
    await visit(dbName, clock)
    await visit(dbName, clock)
    clock.pass(60_000 - jump)
    await visit(dbName, clock)
    await visit(dbName, clock)
    expect(await db.photos.get(id)).toBeDefined()
    db.close()
  },
)

test('S11, S55: on a phone that is opened for a moment every day, a photo nothing names goes within days', async () => {
  const dbName = `phone-${v7()}`
  const clock = createClock()
  const db = new SomaDb(dbName)
  const id = await leavePhoto(db, clock)
  await visit(dbName, clock)
  clock.pass(23 * hour)
  await visit(dbName, clock)
  expect(await db.photos.get(id)).toBeDefined()
  for (let at = 0; at < 3; at++) {
    clock.pass(25 * hour)
    await visit(dbName, clock)
  }
  expect(await db.photos.get(id)).toBeUndefined()
  db.close()
})

test('S7, S55: an ended entry stays for 72 hours though the clock jumps a year ahead for a minute', async () => {
  const clock = createClock()
  const phone = await startedPhone({ clock })
  const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
  await phone.settle()
  const isThere = async () => (await phone.db.outbox.where('id').equals(id).count()) === 1
  clock.now = (
    (now) => () =>
      now() + year
  )(clock.now)
  clock.pass(2 * hour)
  await phone.engine.wake()
  clock.now = (
    (now) => () =>
      now() - year
  )(clock.now)
  clock.pass(2 * hour)
  await phone.engine.wake()
  expect(await isThere()).toBe(true)
  clock.pass(73 * hour)
  await phone.engine.wake()
  clock.pass(2 * hour)
  await phone.engine.wake()
  expect(await isThere()).toBe(false)
})

test('S7: what has ended stays 72 hours, what was refused until the person deals with it', async () => {
  const clock = createClock()
  const cut = network()
  const phone = await startedPhone({ clock }, cut)
  cut.cut()
  await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
  const endings = ['done', 'cancelled', 'refused'] as const
  const [one] = await phone.db.outbox.toArray()
  if (!one) throw new Error('An entry was queued')
  const { seq: _, ...rest } = one
  await phone.db.outbox.clear()
  await phone.db.outbox.bulkAdd(
    endings.map((state) => ({ ...rest, id: v7(), state, endedAt: clock.now() })) as never[],
  )
  const left = async () => (await phone.db.outbox.toArray()).map(({ state }) => state)
  for (const hours of [24, 23, 23, 1]) {
    clock.pass(hours * hour)
    await phone.engine.wake()
  }
  expect(await left()).toEqual(endings)
  // Looked at once a day while nothing seems old, then hourly.
  for (let at = 0; at < 10; at++) {
    clock.pass(3 * hour)
    await phone.engine.wake()
  }
  expect(await left()).toEqual(['refused'])
})
