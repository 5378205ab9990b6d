import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyDraft } from '#domain/deliveries/draft.ts'
import { holdPhoto } from '#store/deliveries/photos/held-photos.ts'
import { unsentPhotos, unusedPhotos } from '#store/deliveries/photos/photos.ts'
import { uploadOf } from '#store/deliveries/photos/upload-entry.ts'
import { entryMaker } from '#store/entries/new-entry.ts'
import type { EntryState, OutboxEntry } from '#sync/database/entry.ts'
import { entryOf } from '#sync/outbox/enqueue.ts'
import { createDevice, jpeg } from '../../helpers/device/device.ts'

let db: ReturnType<typeof createDevice>['db']
beforeEach(() => {
  db = createDevice().db
})
afterEach(() => db.close())

const keep = async (id: string, url?: string) => {
  await db.photos.add({ id, account: 'guest', bytes: jpeg, type: 'image/jpeg', keptAt: 1, url })
}
const queue = (photo: string, state: EntryState) =>
  db.outbox.add({
    ...entryOf<OutboxEntry>({
      id: `of ${photo}`,
      account: 'kofi',
      op: 'uploadPhoto',
      lane: `photo:${photo}`,
      input: { photo },
      photos: [photo],
      title: 'Laptop',
      occurredAt: '2026-11-21T10:00:00.000Z',
    }),
    state,
  } as never)

test('S11: photos of what is unsent or refused, of drafts and of what was set aside are this phone’s alone', async () => {
  const states = [
    'waiting',
    'sending',
    'retrying',
    'parked',
    'refused',
    'done',
    'cancelled',
  ] as const
  for (const state of states) await queue(state, state)
  await db.drafts.put({ account: 'kofi', kind: 'send', value: { ...emptyDraft, photo: 'drafted' } })
  await db.setAside.add({ from: 'outbox', why: '', at: 1, value: { photos: ['aside'] } })
  const unsent = await unsentPhotos(db)
  const named = [...states, 'drafted', 'aside'].filter((id) => unsent.has(id))
  expect(named).toEqual(['waiting', 'sending', 'retrying', 'parked', 'refused', 'drafted', 'aside'])
})

test('S11: a photo is unused when nothing names it and no open form may show it', async () => {
  for (const id of ['ended', 'refused', 'one', 'another', 'nobody’s']) await keep(id)
  await queue('ended', 'done')
  await queue('refused', 'refused')
  holdPhoto(db, 'one')
  holdPhoto(db, 'another')
  expect(await unusedPhotos(db)).toEqual(['nobody’s'])
})

test('S2: a photo goes up in an entry of its own that names it, and becomes the account’s', async () => {
  const newEntry = entryMaker(
    () => 'new',
    () => '2026-11-21T10:00:00.000Z',
  )
  const about = { db, newEntry }
  await keep('p1')
  const upload = async (id: string) =>
    uploadOf(about, await db.photos.get(id), 'kofi', { itemDescription: 'Laptop' })
  expect(await upload('p1')).toEqual([
    {
      id: 'new',
      account: 'kofi',
      op: 'uploadPhoto',
      lane: 'photo:p1',
      input: { photo: 'p1' },
      title: 'Laptop',
      photos: ['p1'],
      isPart: 1,
      occurredAt: '2026-11-21T10:00:00.000Z',
    },
  ])
  expect(await db.photos.get('p1')).toMatchObject({ account: 'kofi' })
  await keep('p2', 'http://photos/p2')
  expect(await upload('p2')).toEqual([])
  await expect(upload('p3')).rejects.toMatchObject({ reason: 'photo-not-hosted' })
})
