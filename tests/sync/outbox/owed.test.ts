import { expect, test } from 'vitest'
import { expireSession } from '#store/account/expire.ts'
import { forgetStrangers } from '#store/account/forget-account.ts'
import { deleteOldGuests } from '#store/account/guest-records.ts'
import { signOut } from '#store/account/sign-in.ts'
import { outboxModel } from '#store/deliveries/outbox-model.ts'
import { rowVersion } from '#store/deliveries/row-schema.ts'
import { saveRecoveredGuests } from '#store/deliveries/save/recovered-guests.ts'
import { noteMoved } from '#store/deliveries/save/refused-delivery.ts'
import { evict } from '#store/maintenance/evict.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { OutboxEntry } from '#sync/database/entry.ts'
import { collectGarbage } from '#sync/outbox/collect-garbage.ts'
import { credentialsFor } from '#sync/outbox/credentials.ts'
import { deliveryOf } from '../../helpers/device/context.ts'
import { createDevice, jpeg, person, signIn } from '../../helpers/device/device.ts'
import { reportEntry } from '../../helpers/device/report-entry.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.parse('2026-11-21T10:00:00.000Z')

const rowOf = (account: string, ID: string): DeliveryRow =>
  ({
    v: rowVersion,
    account,
    ID,
    view: deliveryOf(ID, { status: 'Approved', isGuestDelivery: account === 'guest' }),
    known: true,
    marks: [],
  }) as unknown as DeliveryRow

const guestRecord = (id: string) => ({
  id,
  senderName: 'Ama',
  senderPhone: '0244000000',
  createdAt: new Date(start).toISOString(),
  guestToken: `token of ${id}`,
})

const photoEntry = (at: number, state: OutboxEntry['state'], photo: string): OutboxEntry =>
  reportEntry(at, {
    op: 'attachProof',
    state,
    input: { id: `d${at}`, photo, status: 'Delivered' },
    photos: [photo],
  })

/** A phone on which everything has ended but what is still to be sent about it. */
async function phoneThatOwes() {
  const { db, commands } = createDevice()
  await signIn(db, person('kofi', 'driver'))
  const report = (at: number, more: Partial<OutboxEntry>) =>
    reportEntry(at, { account: 'guest', lane: `issue:d${at}`, ...more })
  await db.outbox.bulkAdd([
    report(1, {}),
    report(2, { state: 'refused', error: { reason: 'too-many', message: 'Later' } }),
    report(3, { state: 'parked' }),
    reportEntry(4, { state: 'retrying' }),
    photoEntry(5, 'waiting', 'p5'),
    photoEntry(6, 'refused', 'p6'),
  ] as never[])
  await db.aliases.bulkPut([
    { account: 'guest', local: 'd3', server: 'g3' },
    { account: 'kofi', local: 'd4', server: 'k4' },
  ])
  await db.guests.bulkPut(['d1', 'd2', 'g3'].map(guestRecord))
  await db.deliveries.bulkPut(['d1', 'd2', 'g3'].map((id) => rowOf('guest', id)))
  await db.deliveries.bulkPut(['k4', 'd5', 'd6'].map((id) => rowOf('kofi', id)))
  await db.photos.bulkPut(
    ['p5', 'p6'].map((id) => ({
      id,
      account: 'kofi',
      bytes: jpeg,
      type: 'image/jpeg',
      keptAt: start,
      url: `http://soma.test/${id}`,
    })),
  )
  return { db, commands }
}

/** What each entry would leave with. */
async function owedBy(db: SomaDb) {
  const entries = await db.outbox.orderBy('id').toArray()
  const credentials = await credentialsFor(db, outboxModel, entries, undefined)
  const photos = await db.photos.bulkGet(entries.flatMap((entry) => entry.photos))
  return {
    entries: entries.map(({ id }) => id),
    credentials,
    photos: photos.map((photo) => photo?.bytes.byteLength),
  }
}

type Phone = Awaited<ReturnType<typeof phoneThatOwes>>
const device = (db: SomaDb) => ({ db, clock: { now: () => start + day }, cachePrefix: '' })

/** All that deletes rows, records and photos. */
const endings: Record<string, (phone: Phone) => Promise<unknown>> = {
  'a guest has approved': async ({ commands }) => {
    for (const id of ['d1', 'd2', 'd3']) await commands.forgetGuestRecord(id)
  },
  'a guest’s day is over': ({ db }) => deleteOldGuests(db, start + 25 * hour),
  'a guest’s token was refused twice': async ({ db }) => {
    for (const id of ['d1', 'd2', 'g3', 'd1', 'd2', 'g3']) await noteMoved(db, id, true)
    await deleteOldGuests(db, start + 25 * hour)
  },
  'a guest’s deliveries were got back': ({ db }) =>
    saveRecoveredGuests(
      db,
      '0244000000',
      ['d1', 'd2', 'g3'].map((id) => ({ delivery: deliveryOf(id), guestToken: `token of ${id}` })),
      { askedAt: start, serverAt: start, now: start },
    ),
  'the disk is full': ({ db }) => evict(db),
  'months pass': async ({ db }) => {
    for (let days = 0; days < 100; days += 10) {
      const clock = { now: () => start + days * day, monotonic: () => start + days * day }
      await collectGarbage(db, outboxModel, clock)
    }
  },
  'the login has expired': async ({ db }) =>
    expireSession(device(db), 'kofi', (await db.sessions.get('current'))?.token),
  'the person has logged out': ({ db }) => signOut(device(db), 'kofi'),
  'somebody else has logged in': async ({ db }) => {
    await signIn(db, person('ama', 'sender'))
    await forgetStrangers(db)
  },
}

test.each(Object.entries(endings))(
  'S11: nothing is deleted that an unsent entry needs when %s',
  async (_, end) => {
    const phone = await phoneThatOwes()
    const before = await owedBy(phone.db)
    expect(before.credentials.map(({ token }) => token).filter(Boolean)).toHaveLength(3)
    await end(phone)
    expect(await owedBy(phone.db)).toEqual(before)
    phone.db.close()
  },
)

test('R58: the record that a guest has approved is shown no more, and goes with what needed it', async () => {
  const { db, commands } = await phoneThatOwes()
  await commands.forgetGuestRecord('d1')
  expect(await db.guests.get('d1')).toMatchObject({ isSignedOff: true })
  await db.outbox.where('id').equals('e1').modify({ state: 'done' })
  await deleteOldGuests(db, start)
  expect(await db.guests.get('d1')).toBeUndefined()
  expect(await db.deliveries.get(['guest', 'd1'])).toBeUndefined()
  expect(await db.guests.count()).toBe(2)
})
