import { describe, expect, test } from 'vitest'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as lists from '#store/queries/lists.ts'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import * as queries from '#store/queries/queries.ts'
import { createNetwork } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, phoneOf, driverPhone } = serverOfFile()

describe('a driver on the road', () => {
  test('S3, S5, S6: accepts, picks up and delivers in a dead zone, and all of it arrives in order', async () => {
    const sender = await server().sender()
    const delivery = await server().delivery(sender)
    const phone = await driverPhone()
    await phone.settle()
    network().cut()
    await phone.commands.acceptDelivery(delivery.ID)
    await phone.commands.pickUpDelivery(delivery.ID)
    await phone.commands.completeDelivery(delivery.ID, delivery.deliveryCode ?? '')
    expect((await deliveryQueries.deliveryRow(phone.db, delivery.ID))?.server?.status).toBe(
      'Pending',
    )
    network().restore()
    await phone.settle()
    const row = await deliveryQueries.deliveryRow(phone.db, delivery.ID)
    expect(row).toMatchObject({ view: { status: 'Delivered' }, marks: [] })
    expect(row?.view.deliveryCode).toBeUndefined()
    const said = network().passed.filter(
      ({ path, method }) => method !== 'GET' && path.includes(delivery.ID),
    )
    expect(said.map(({ path }) => path.split('/').at(-1))).toEqual(['accept', 'status', 'complete'])
  })

  test('S15: hears that another driver was first, and everything that hung on it falls back', async () => {
    const delivery = await server().delivery(await server().sender())
    const winner = await driverPhone()
    const loserNetwork = createNetwork(server().fetch)
    const loser = await driverPhone(loserNetwork)
    await loser.settle()
    loserNetwork.cut()
    await loser.commands.acceptDelivery(delivery.ID)
    await loser.commands.pickUpDelivery(delivery.ID)
    await winner.settle()
    await winner.commands.acceptDelivery(delivery.ID)
    await winner.settle()
    loserNetwork.restore()
    await loser.settle()
    const [pickUp, accept] = await outboxQueries.outbox(loser.db)
    expect(accept).toMatchObject({ state: 'refused', error: { reason: 'taken' } })
    expect(pickUp).toMatchObject({ state: 'refused', error: { because: accept?.id } })
    expect(await server().held(delivery.ID)).toMatchObject([{ status: 'Accepted' }])
    expect(await deliveryQueries.activeJob(loser.db)).toBeNull()
    await loser.commands.discard(accept?.id ?? '')
    expect(await lists.available(loser.db)).not.toContainEqual(
      expect.objectContaining({ ID: delivery.ID }),
    )
    expect((await lists.jobs(winner.db)).map(({ ID }) => ID)).toEqual([delivery.ID])
  })

  test('a wrong code is refused and counted, and the right one after it is taken', async () => {
    const delivery = await server().delivery(await server().sender())
    const phone = await driverPhone()
    await phone.settle()
    await phone.commands.acceptDelivery(delivery.ID)
    await phone.commands.pickUpDelivery(delivery.ID)
    const wrong = delivery.deliveryCode === '00000' ? '00001' : '00000'
    const entry = await phone.commands.completeDelivery(delivery.ID, wrong)
    await phone.settle()
    expect((await outboxQueries.outbox(phone.db)).find(({ id }) => id === entry)).toMatchObject({
      state: 'refused',
      error: { reason: 'wrong-code' },
    })
    expect((await deliveryQueries.deliveryRow(phone.db, delivery.ID))?.view.status).toBe(
      'Picked Up',
    )
    await phone.commands.completeDelivery(delivery.ID, delivery.deliveryCode ?? '')
    await phone.settle()
    expect(await deliveryQueries.deliveryRow(phone.db, delivery.ID)).toMatchObject({
      view: { status: 'Delivered' },
      marks: [],
    })
    expect((await queries.outboxSummary(phone.db)).refused).toBe(0)
  })
})

describe('S10: what a driver is told of jobs', () => {
  test('of their own is complete, however the list is cut into pages and whatever changes meanwhile', async () => {
    const someone = await server().driver()
    const inTwos = createNetwork((request) => {
      const url = new URL(request.url)
      if (url.pathname.endsWith('/my-deliveries')) url.searchParams.set('limit', '2')
      return server().fetch(new Request(url, request))
    })
    const driven: string[] = []
    const drive = async (status: 'Accepted' | 'Delivered') => {
      const job = await server().delivery(await server().sender())
      await server().drive(job, someone, status)
      driven.push(job.ID)
    }
    for (let each = 0; each < 3; each++) await drive('Delivered')
    const phone = await phoneOf(someone, {}, inTwos)
    const held = async () => (await lists.jobs(phone.db)).map(({ ID }) => ID)
    expect((await held()).sort()).toEqual(driven.sort())
    for (let each = 0; each < 3; each++) await drive('Delivered')
    await drive('Accepted')
    await phone.settle()
    expect((await held()).sort()).toEqual(driven.sort())

    // Everything anew, as when a cursor has grown too old: what is in no page has gone.
    await phone.db.pulls.clear()
    const [row] = await lists.jobs(phone.db)
    if (row) await phone.db.deliveries.put({ ...row, ID: crypto.randomUUID() })
    expect(await held()).toHaveLength(driven.length + 1)
    await phone.settle()
    expect((await held()).sort()).toEqual(driven.sort())
  })

  test('on offer holds the newest page and none that was taken, whatever changes meanwhile (S50)', async () => {
    const inTwos = createNetwork((request) => {
      const url = new URL(request.url)
      if (url.pathname.endsWith('/available-deliveries')) url.searchParams.set('limit', '2')
      return server().fetch(new Request(url, request))
    })
    const phone = await driverPhone(inTwos)
    const pending = async () =>
      (await server().adminDeliveries())
        .filter(({ status }) => status === 'Pending')
        .map(({ ID }) => ID)
    const held = async () => (await lists.available(phone.db)).map(({ ID }) => ID)
    for (let each = 0; each < 3; each++) await server().guestDelivery()
    await phone.settle()
    expect((await held()).slice(0, 2)).toEqual((await pending()).slice(0, 2))
    expect(await pending()).toEqual(expect.arrayContaining(await held()))
    const made = []
    for (let each = 0; each < 4; each++) made.push(await server().guestDelivery())
    for (const { delivery } of made.slice(2)) {
      const id = delivery.ID
      await server().ask('acceptDelivery', { id, token: (await server().driver()).token })
    }
    await phone.settle()
    expect((await held()).slice(0, 2)).toEqual((await pending()).slice(0, 2))
    expect(await pending()).toEqual(expect.arrayContaining(await held()))
  })
})
