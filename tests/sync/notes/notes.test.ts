import { v7 } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { guestAccount } from '#sync/database/engine-db.ts'
import { enqueue } from '#sync/outbox/enqueue.ts'
import { createWaits } from '#sync/outbox/waits.ts'
import type { Locks } from '#sync/platform/context.ts'
import { createTrafficMeter } from '#sync/platform/traffic-meter.ts'
import { createClock, createLocks, createNetwork } from '../../helpers/device/phone.ts'
import { lazyNotes, NotesDb, openNotes } from './notes.ts'
import { createNotesServer } from './notes-server.ts'

/* The engine alone, with a product that is not deliveries. */

let server: ReturnType<typeof createNotesServer>
const open: { kill: () => Promise<void> }[] = []
beforeEach(() => {
  server = createNotesServer()
})
afterEach(async () => {
  for (const phone of open.splice(0)) await phone.kill()
})

async function createPhone(name = `notes-${v7()}`, locks: Locks = createLocks()) {
  const network = createNetwork(server.fetch)
  const db = new NotesDb(name)
  const clock = createClock()
  const engine = openNotes(
    {
      db,
      clock,
      waits: createWaits(clock),
      locks,
      base: 'http://notes.test/api',
      cachePrefix: '',
      transport: network.transport,
      traffic: createTrafficMeter(),
      random: () => 0.5,
      newId: v7,
      holder: v7(),
      isOffline: network.isCut,
    },
    {
      onResume: () => () => {},
      isVisible: () => true,
      saveData: () => false,
      wakeWorker: () => {},
    },
  )
  const write = (op: string, lane: string, input: { text: string }) =>
    db.transaction('rw', [db.outbox, db.notes], () =>
      enqueue(db, lazyNotes, [
        {
          id: v7(),
          account: guestAccount,
          op,
          lane,
          input,
          title: input.text,
          occurredAt: new Date(clock.now()).toISOString(),
        },
      ]),
    )
  const phone = {
    db,
    engine,
    network,
    name,
    clock,
    create: (id: string, text: string) => write('createNote', id, { text }),
    edit: (id: string, text: string, version: number) =>
      write('editNote', id, Object.assign({ text }, { id, version })),
    text: async (id: string) => (await db.notes.get([guestAccount, id]))?.text,
    states: async () => (await db.outbox.orderBy('seq').toArray()).map(({ state }) => state),
    kill: async () => {
      await engine.stop()
      db.close()
    },
  }
  open.push(phone)
  await engine.start()
  return phone
}

test('S2, S6: a note written offline is on the screen at once, waits, and is sent with the network', async () => {
  const phone = await createPhone()
  phone.network.cut()
  await phone.create('a', 'Buy waakye')
  await phone.edit('a', 'Buy waakye and fish', 1)
  expect(await phone.text('a')).toBe('Buy waakye and fish')
  await phone.engine.wake()
  expect(await phone.states()).toEqual(['retrying', 'waiting'])
  expect(server.notes.size).toBe(0)
  phone.network.restore()
  await phone.engine.wake()
  expect(await phone.states()).toEqual(['done', 'done'])
  expect(server.notes.get('a')).toEqual({ id: 'a', text: 'Buy waakye and fish', version: 2 })
  expect(await phone.text('a')).toBe('Buy waakye and fish')
})

test('S1: a note whose answer is lost is sent again under the same key, and written once', async () => {
  const phone = await createPhone()
  phone.network.setConditions(() => 'answer lost')
  await phone.create('a', 'Once')
  await phone.engine.wake()
  expect(server.effects).toHaveLength(1)
  expect(await phone.states()).toEqual(['retrying'])
  phone.network.restore()
  await phone.engine.wake()
  expect(await phone.states()).toEqual(['done'])
  expect(server.effects).toHaveLength(1)
})

test('S6, S15: an edit that meets another device’s is refused, and the note shows what the server has', async () => {
  const [mine, other] = [await createPhone(), await createPhone()]
  await mine.create('a', 'First')
  await mine.engine.wake()
  mine.network.cut()
  await mine.edit('a', 'Mine', 1)
  other.engine.watch({ kind: 'notes' })
  await other.engine.wake()
  await other.edit('a', 'Theirs', 1)
  await other.engine.wake()
  expect(await mine.text('a')).toBe('Mine')
  mine.network.restore()
  await mine.engine.wake()
  expect(await mine.states()).toEqual(['done', 'refused'])
  expect(await mine.text('a')).toBe('Theirs')
})

test('S3, S17: what a killed tab had queued and leased is replayed by the next, in order and once', async () => {
  const locks = createLocks()
  const phone = await createPhone(undefined, locks)
  phone.network.cut()
  await phone.create('a', 'One')
  for (let version = 1; version <= 20; version++)
    await phone.edit('a', `Version ${version}`, version)
  await phone.db.outbox
    .where('seq')
    .equals(1)
    .modify({
      state: 'sending',
      nextAt: 0,
      lease: { holder: 'killed', until: phone.clock.now() + 100_000 },
    })
  await phone.kill()
  const next = await createPhone(phone.name, locks)
  await next.engine.wake()
  expect(new Set(await next.states())).toEqual(new Set(['done']))
  expect(server.notes.get('a')).toEqual({ id: 'a', text: 'Version 20', version: 21 })
  expect(server.effects).toHaveLength(21)
})
