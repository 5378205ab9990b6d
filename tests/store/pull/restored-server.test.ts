import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { loadLazy } from '#store/load-lazy.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import { handoverKey } from '#store/queries/room.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { type Restorable, restorablePostgres } from '../../helpers/database/restorable.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createNetwork, createPhone } from '../../helpers/device/phone.ts'
import { present } from '../../helpers/server/server.ts'
import { atEnd, endAll, lostEntries, minute, type Phone, start } from './restored-phones.ts'

beforeAll(async () => {
  await loadLazy()
})

afterEach(endAll)

/** A phone holds an acknowledged request; then the server is put back to before it. */
async function lostRequest(database?: Restorable) {
  const about = await start(database)
  const sender = await about.server.sender()
  const phone = await about.phoneOf(sender)
  const restore = await about.database.backup()
  const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
  await phone.later()
  expect(await deliveryQueries.deliveryRow(phone.db, id)).toMatchObject({ known: true })
  await restore()
  await phone.later()
  return { ...about, sender, phone, id }
}

const noSuchCall = { error: 'Not found', reason: 'not-found' }

describe('S54: a request that a restore lost', () => {
  test('says so, blocks nothing, and can be sent again', async () => {
    const { server, phone, id, sender } = await lostRequest()
    const [lost] = await lostEntries(phone)
    expect(lost).toMatchObject({ op: 'createDelivery', lane: id, unseen: 1 })
    expect(await deliveryQueries.deliveryRow(phone.db, id)).toMatchObject({
      known: false,
      marks: [{ op: 'createDelivery', state: 'refused', error: { reason: 'lost' } }],
    })
    expect(await deliveryQueries.activeSent(phone.db)).toBeFalsy()
    await phone.later()
    expect(await lostEntries(phone)).toHaveLength(1)
    const sent = async () =>
      present((await server.ask('senderDeliveries', { token: sender.token })).value).deliveries
    expect(await sent()).toEqual([])
    await phone.commands.retry(present(lost).id)
    await phone.later()
    const [again, ...more] = await sent()
    expect(more).toEqual([])
    expect(again).toMatchObject({ status: 'Pending', itemDescription: lost?.title })
    expect(again?.ID).not.toBe(id)
    expect(await lostEntries(phone)).toEqual([])
    const row = present(await deliveryQueries.deliveryRow(phone.db, id))
    expect(row).toMatchObject({ ID: again?.ID, known: true })
    // The screen asks to share its link and code again.
    expect(await handoverKey(phone.db, row)).toMatchObject({ isResent: true })
  })

  test('leaves the phone when the person dismisses it, and is not named again', async () => {
    const { phone, id } = await lostRequest()
    const [lost] = await lostEntries(phone)
    await phone.commands.discard(present(lost).id)
    await phone.later()
    await phone.later()
    expect(await lostEntries(phone)).toEqual([])
    expect(await deliveryQueries.deliveryRow(phone.db, id)).toBeNull()
  })

  test('over PostgreSQL too', async () => {
    const { phone, id } = await lostRequest(await restorablePostgres(inject('postgresUrl')))
    expect(await lostEntries(phone)).toMatchObject([{ op: 'createDelivery', lane: id }])
  })

  test('is named once, where two tabs hear of it', async () => {
    const about = await start()
    const sender = await about.server.sender()
    const phone = await about.phoneOf(sender)
    const restore = await about.database.backup()
    await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await phone.later()
    const other = await about.phoneOf(undefined, phone)
    await restore()
    about.clock.pass(minute)
    await Promise.all([phone.settle(), other.settle()])
    expect(await lostEntries(phone)).toHaveLength(1)
  })

  test('takes with it what waited for it', async () => {
    const about = await start()
    const sender = await about.server.sender()
    const phone = await about.phoneOf(sender)
    const restore = await about.database.backup()
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await phone.later()
    about.network.setConditions(({ method }, { path }) =>
      method === 'GET' || path === '/api/requests/known' ? 'fine' : 'request lost',
    )
    await phone.commands.cancelDelivery(id)
    await restore()
    about.clock.pass(minute)
    await phone.engine.wake()
    const lost = await lostEntries(phone)
    expect(lost.map(({ op }) => op)).toEqual(['createDelivery', 'cancelDelivery'])
    expect(lost[1]?.error?.because).toBe(lost[0]?.id)
  })

  test('of a guest, whose token the server no longer knows, says so', async () => {
    const about = await start()
    const phone = await about.phoneOf()
    const restore = await about.database.backup()
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    await phone.later()
    await restore()
    await phone.later()
    const [lost] = await lostEntries(phone)
    expect(lost).toMatchObject({ op: 'createGuestDelivery', lane: id, account: guestAccount })
    await phone.commands.retry(present(lost).id)
    await phone.later()
    await phone.later()
    expect(await lostEntries(phone)).toEqual([])
    const [row] = await phone.db.deliveries.toArray()
    expect(row).toMatchObject({ known: true, view: { status: 'Pending' } })
    expect((await phone.db.guests.toArray())[0]).toMatchObject({ guestToken: expect.any(String) })
  })
})

describe('S54: what no row shows', () => {
  test('a report and a phone number that a restore lost are named, and can be sent again', async () => {
    const about = await start()
    const sender = await about.server.sender()
    const made = await about.server.delivery(sender)
    const phone = await about.phoneOf(sender)
    const restore = await about.database.backup()
    await phone.commands.reportIssue(made.ID, 'Nobody came')
    await phone.commands.changePhone('0244000123')
    await phone.later()
    await restore()
    await phone.later()
    const lost = await lostEntries(phone)
    expect(lost.map(({ op }) => op)).toEqual(['reportIssue', 'changePhone'])
    for (const { id } of lost) await phone.commands.retry(id)
    await phone.later()
    expect(await lostEntries(phone)).toEqual([])
    const { token } = await about.server.admin()
    const { value } = await about.server.ask('adminDisputes', { token })
    expect(value?.disputes).toMatchObject([{ issue: 'Nobody came' }])
  })

  test('a backend that cannot be asked loses nothing that anybody could name', async () => {
    const about = await start()
    const phone = await about.phoneOf(await about.server.sender())
    const restore = await about.database.backup()
    await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await phone.later()
    about.network.setConditions((_, { path }) =>
      path.startsWith('/api/requests/') ? Response.json(noSuchCall, { status: 404 }) : 'fine',
    )
    await restore()
    await phone.later()
    expect(await lostEntries(phone)).toEqual([])
    expect(await phone.db.deliveries.count()).toBe(0)
  })
})

describe('S54: an action that a restore undid', () => {
  test('is named and can be sent again; the row is the server’s', async () => {
    const about = await start()
    const { server } = about
    const driver = await server.driver()
    const made = await server.delivery(await server.sender())
    const phone = await about.phoneOf(driver)
    await phone.commands.acceptDelivery(made.ID)
    await phone.later()
    const restore = await about.database.backup()
    await phone.commands.pickUpDelivery(made.ID)
    await phone.later()
    expect(await deliveryQueries.deliveryRow(phone.db, made.ID)).toMatchObject({
      view: { status: 'Picked Up' },
    })
    await restore()
    await phone.later()
    const [lost, ...more] = await lostEntries(phone)
    expect(more).toEqual([])
    expect(lost).toMatchObject({ op: 'pickUpDelivery', lane: made.ID })
    expect(await deliveryQueries.deliveryRow(phone.db, made.ID)).toMatchObject({
      view: { status: 'Accepted' },
      marks: [{ op: 'pickUpDelivery', state: 'refused', error: { reason: 'lost' } }],
    })
    await phone.commands.retry(present(lost).id)
    await phone.later()
    expect(await lostEntries(phone)).toEqual([])
    expect(await deliveryQueries.deliveryRow(phone.db, made.ID)).toMatchObject({
      view: { status: 'Picked Up' },
    })
  })

  test.each(['the list', 'the room'])(
    'S77: a job accepted and lost is on offer again, as %s shows it',
    async (where) => {
      const about = await start()
      const { server } = about
      const made = await server.delivery(await server.sender())
      const phone = await about.phoneOf(await server.driver())
      if (where === 'the room') phone.engine.watch({ kind: 'delivery', id: made.ID })
      await phone.later()
      const restore = await about.database.backup()
      await phone.commands.acceptDelivery(made.ID)
      await phone.later()
      await restore()
      await phone.later()
      await phone.later()
      expect(await lostEntries(phone)).toMatchObject([{ op: 'acceptDelivery', lane: made.ID }])
      expect(await deliveryQueries.deliveryRow(phone.db, made.ID)).toMatchObject({
        view: { status: 'Pending' },
      })
    },
  )
})

describe('S79: a server restored to the moment before a reply, which no list had named yet', () => {
  /** Requests that change nothing get no answer: the reply alone says what happened. */
  async function answeredAlone(who: 'sender' | 'driver') {
    const about = await start()
    const { server } = about
    const made = await server.delivery(await server.sender())
    const phone = await about.phoneOf(
      who === 'driver' ? await server.driver() : await server.sender(),
    )
    const restore = await about.database.backup()
    about.network.setConditions(({ method }) => (method === 'GET' ? 'request lost' : 'fine'))
    return { ...about, made, phone, restore }
  }

  test('a request says that it is lost', async () => {
    const { phone, restore, noEvents } = await answeredAlone('sender')
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await phone.later()
    const entries = await phone.db.outbox.toArray()
    expect(entries.map(({ op, state }) => `${op} ${state}`)).toEqual([
      'uploadPhoto done',
      'createDelivery done',
    ])
    await restore()
    noEvents()
    await phone.later()
    expect(await lostEntries(phone)).toMatchObject([{ op: 'createDelivery', lane: id }])
  })

  test('a job is on offer again, and its acceptance is lost', async () => {
    const { phone, made, restore, noEvents } = await answeredAlone('driver')
    await phone.commands.acceptDelivery(made.ID)
    await phone.later()
    await restore()
    noEvents()
    await phone.later()
    await phone.later()
    expect(await lostEntries(phone)).toMatchObject([{ op: 'acceptDelivery', lane: made.ID }])
    expect(await deliveryQueries.deliveryRow(phone.db, made.ID)).toMatchObject({
      view: { status: 'Pending' },
    })
  })
})

describe('S54: nothing is named as lost', () => {
  /** The list is asked for in full though nothing was restored. */
  async function inFull(phone: Phone) {
    await phone.db.pulls.toCollection().modify({ cursor: 'of another database', etag: undefined })
    await phone.later()
  }

  test('where a cursor was merely old', async () => {
    const about = await start()
    const { server } = about
    const phone = await about.phoneOf(await server.sender())
    await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await phone.later()
    const count = await phone.db.deliveries.count()
    await inFull(phone)
    expect(await lostEntries(phone)).toEqual([])
    expect(await phone.db.deliveries.count()).toBe(count)
  })

  test('where an admin put a driver’s job back on offer', async () => {
    const about = await start()
    const { server } = about
    const driver = await server.driver()
    const made = await server.delivery(await server.sender())
    const phone = await about.phoneOf(driver)
    await phone.commands.acceptDelivery(made.ID)
    await phone.later()
    const token = (await server.admin()).token
    await server.ask('reviewDriver', { token, id: driver.user.ID, body: { status: 'rejected' } })
    await server.ask('reviewDriver', { token, id: driver.user.ID, body: { status: 'approved' } })
    await inFull(phone)
    await inFull(phone)
    expect(await lostEntries(phone)).toEqual([])
    expect(await deliveryQueries.deliveryRow(phone.db, made.ID)).toMatchObject({
      view: { status: 'Pending' },
    })
  })

  test('of a request that had ended', async () => {
    const about = await start()
    const phone = await about.phoneOf(await about.server.sender())
    const restore = await about.database.backup()
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await phone.later()
    await phone.commands.cancelDelivery(id)
    await phone.later()
    await restore()
    await phone.later()
    expect(await lostEntries(phone)).toEqual([])
    expect(await deliveryQueries.deliveryRow(phone.db, id)).toBeNull()
  })

  test('S20: of what was answered while the list was on its way', async () => {
    const about = await start()
    const { server, network, clock } = about
    const phone = await about.phoneOf(await server.sender())
    await phone.db.pulls.toCollection().modify({ cursor: undefined, etag: undefined })
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    network.setConditions(() => 'fine')
    const slow = createNetwork(async (request) => {
      const response = await server.fetch(request)
      if (new URL(request.url).pathname === '/api/sender/deliveries') await held
      return response
    })
    const tab = createPhone(slow, { clock, dbName: phone.db.name })
    for (const [key, value] of phone.storage) tab.storage.set(key, value)
    atEnd(() => tab.kill())
    const pulling = tab.start()
    await expect.poll(() => slow.passed.some(({ path }) => path.endsWith('/deliveries'))).toBe(true)
    clock.pass(1_000)
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    about.noEvents()
    await phone.settle()
    letGo()
    await pulling
    await tab.settle()
    expect(await lostEntries(phone)).toEqual([])
    expect(await deliveryQueries.deliveryRow(phone.db, id)).toMatchObject({ known: true })
  })
})
