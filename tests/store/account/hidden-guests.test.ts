import { beforeEach, describe, expect, test } from 'vitest'
import { expireSession } from '#store/account/expire.ts'
import { saveNotificationChoice, unreportedLogins } from '#store/account/notifications.ts'
import { signIn as logIn, signOut } from '#store/account/sign-in.ts'
import { saveRecoveredGuests } from '#store/deliveries/save/recovered-guests.ts'
import { checkRows } from '#store/maintenance/row-checks.ts'
import { announcements } from '#store/queries/announcements.ts'
import { deliveryRow, deniedAs } from '#store/queries/deliveries.ts'
import * as outbox from '#store/queries/outbox/outbox.ts'
import { unsentFile } from '#store/queries/outbox/unsent-file.ts'
import * as queries from '#store/queries/queries.ts'
import { suggestions } from '#store/queries/suggestions.ts'
import { deliveriesUnderWay } from '#store/queries/under-way.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'

let device: ReturnType<typeof createDevice>
let id: string
const place = () => ({ db: device.db, clock: { now: Date.now }, cachePrefix: '' })

/** Ama is logged in, and asks for something as a guest. */
beforeEach(async () => {
  device = createDevice()
  await signIn(device.db, person('ama', 'user'))
  const draft = await filledDraft(device.commands, { itemDescription: 'Lantern' })
  id = await device.commands.requestDelivery(draft, 'guest')
})

/** The request was sent, and a driver has accepted it since; nobody was told of either. */
async function arrives() {
  await device.db.outbox.toCollection().modify({ state: 'done', unseen: 1, endedAt: Date.now() })
  await device.db.guests.update(id, { guestToken: 'token of a guest' })
  const isGuestDelivery = true
  const made = { itemDescription: 'Lantern', deliveryCode: '48213', isGuestDelivery }
  await saveRows(device.db, guestAccount, [deliveryOf(id, { ...made, status: 'Accepted' })])
  await device.db.deliveries.update([guestAccount, id], { unseen: 1 })
}

/** What of it the person sees who uses the phone now, on whichever screen. */
async function seen() {
  const { db } = device
  const lists = await outbox.outboxLists(db)
  const summary = await queries.outboxSummary(db)
  const entries = [
    ...lists.refused,
    ...lists.waiting,
    ...lists.history,
    ...(await outbox.unsentEntryKeys(db)),
    ...(await outbox.outbox(db)),
    ...(await outbox.outcomes(db)),
  ]
  const places = {
    row: await deliveryRow(db, id),
    record: await queries.guestRecord(db),
    live: (await deliveriesUnderWay(db))[0],
    entry: entries[0],
    counted: summary.unsent + summary.refused + summary.sending + summary.quarantined || undefined,
    progress: await queries.outboxProgress(db),
    told: (await announcements(db)).deliveries[0],
    news: (await queries.hasNews(db)) || undefined,
    name: (await suggestions(db)).own,
    file: (await (await unsentFile(db, Date.now())).text()).includes('Lantern') || undefined,
  }
  return Object.entries(places).flatMap(([name, found]) => (found == null ? [] : [name]))
}

const endings = {
  'after a logout': () => signOut(place(), 'ama'),
  'after a logout that discards': () => signOut(place(), 'ama', { unsent: 'discard' }),
  'once the server has ended the login': () => expireSession(place(), 'ama', 'token-of-ama'),
  'while a login that has ended waits for its person': () =>
    device.db.sessions.update('current', { expired: true }),
  'when somebody else logs in': () => logIn(place(), person('kofi', 'user'), 'another'),
}

describe.each(Object.entries(endings))(
  'R58: what somebody asked for as a guest while logged in, %s,',
  (_, end) => {
    test('is shown to nobody else before it was sent, is sent, and is theirs again', async () => {
      const before = await seen()
      expect(before).toEqual(['row', 'record', 'live', 'entry', 'counted', 'progress', 'file'])
      await end()
      expect(await seen()).toEqual([])
      expect(await deniedAs(device.db, id)).toBe('access-denied')
      expect(await device.db.outbox.where('state').equals('waiting').count()).toBe(2)
      await logIn(place(), person('ama', 'user'), 'new')
      expect(await seen()).toEqual(before)
    })

    test('is shown to nobody else when it has arrived meanwhile, nor are they told of it', async () => {
      await end()
      await arrives()
      expect(await seen()).toEqual([])
      await logIn(place(), person('ama', 'user'), 'new')
      expect(await seen()).toEqual(['row', 'record', 'live', 'entry', 'told', 'news'])
    })

    test.each(['guests', 'outbox', 'deliveries'] as const)(
      'is shown to nobody else where its row in %s cannot be read',
      async (table) => {
        await arrives()
        await device.db
          .table(table)
          .toCollection()
          .modify({ createdAt: 'x', input: 'x', view: 'x' })
        await end()
        await checkRows(device.db, Date.now())
        expect(await device.db.setAside.count()).toBeGreaterThan(0)
        expect(await queries.quarantined(device.db)).toEqual([])
      },
    )
  },
)

test('R58: a guest’s request that was made while nobody was logged in is shown to whoever uses the phone', async () => {
  const free = createDevice()
  await free.commands.requestDelivery(await filledDraft(free.commands), 'guest')
  await signIn(free.db, person('kofi', 'user'))
  expect(await deliveriesUnderWay(free.db)).toHaveLength(1)
  expect(await outbox.outbox(free.db)).toHaveLength(2)
})

test('R58, R109: what was got back by SMS while somebody was logged in is theirs', async () => {
  const times = { askedAt: 1, serverAt: 1, now: Date.now() }
  const got = { delivery: deliveryOf('d9'), guestToken: 'new' }
  await saveRecoveredGuests(device.db, '0244000000', [got], times)
  expect(await deliveryRow(device.db, 'd9')).not.toBeNull()
  await signOut(place(), 'ama')
  expect(await deliveryRow(device.db, 'd9')).toBeNull()
})

test('R58, R117: the server is asked to tell this phone nothing more of it', async () => {
  await signOut(place(), 'ama')
  await saveNotificationChoice(device.db, 'on')
  await logIn(place(), person('ama', 'user'), 'new')
  await arrives()
  const logins = () => unreportedLogins(device.db, Date.now(), 'https://push')
  const ofGuest = async () => (await logins()).filter(({ account }) => account === guestAccount)
  expect(await ofGuest()).toMatchObject([{ wanted: true }])
  await device.db.meta.toCollection().modify((each) => {
    if (each.key === 'notifications:guest')
      each.value = { choice: 'on', reported: { ' a guest': 'https://push' } }
  })
  expect(await ofGuest()).toEqual([])
  await signOut(place(), 'ama')
  expect(await ofGuest()).toMatchObject([{ wanted: false }])
})
