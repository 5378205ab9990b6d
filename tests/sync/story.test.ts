import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Status } from '#domain/deliveries/delivery.ts'
import { adminDrivers } from '#store/queries/admin/admin.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as lists from '#store/queries/lists.ts'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import * as queries from '#store/queries/queries.ts'
import { filledDraft, jpeg } from '../helpers/device/device.ts'
import { createNetwork, createPhone, type Phone } from '../helpers/device/phone.ts'
import { holdsCode } from '../helpers/holds-code.ts'
import { type ServerFixture, startServerFixture } from './server-fixture.ts'

const password = 'kente and kelewele'

let server: ServerFixture
beforeAll(async () => {
  server = await startServerFixture()
})
afterAll(() => server.close())

/** A phone with a road of its own, so that one can stand in a dead zone and another not. */
const phoneWithRoad = async () => {
  const road = createNetwork(server.fetch)
  const phone = createPhone(road)
  await phone.start()
  return { ...phone, road }
}

const statusOn = async ({ db }: Pick<Phone, 'db'>, id: string): Promise<Status | undefined> => {
  const row = await deliveryQueries.deliveryRow(db, id)
  return (row?.server ?? row?.view)?.status
}

test('Ama’s laptop goes from Osu to Tema, with everybody in a dead zone at some time', async () => {
  const ama = await phoneWithRoad()
  const kofi = await phoneWithRoad()
  const yaw = await phoneWithRoad()
  const office = await phoneWithRoad()

  // Ama asks as a guest, with no signal at all; her phone is restarted before it comes back.
  ama.road.cut()
  const id = await ama.commands.requestDelivery(await filledDraft(ama.commands), 'guest')
  expect(await deliveryQueries.deliveryRow(ama.db, id)).toMatchObject({ known: false })
  await ama.kill()
  const amaAgain = createPhone(ama.road, { dbName: ama.db.name })
  await amaAgain.start()
  expect(await queries.guestRecord(amaAgain.db)).toMatchObject({ id })
  ama.road.restore()
  await amaAgain.settle()
  const code = (await deliveryQueries.deliveryRow(amaAgain.db, id))?.view.deliveryCode ?? ''
  expect(code).toMatch(/^\d{5}$/)

  // Kofi and Yaw sign up to drive; the office approves both, one of them while it is offline itself.
  await office.session.login(server.admin.email, server.admin.password)
  for (const [driver, phone] of [
    [kofi, '0200000001'],
    [yaw, '0200000002'],
  ] as const) {
    await driver.session.signup({
      name: phone,
      email: `${phone}@soma.test`,
      password,
      phone_number: phone,
      role: 'driver',
      idType: 'passport',
      idNumber: `G${phone.slice(-7)}`,
      idPhoto: await driver.session.uploadNow(jpeg, 'image/jpeg'),
    })
    const user = await driver.session.confirmPhone(phone, server.codeSentTo(phone))
    expect(user).toMatchObject({ driverStatus: 'pending', Verified: true })
  }
  office.engine.watch({ kind: 'adminDrivers' })
  await office.settle()
  office.road.cut()
  for (const application of await adminDrivers(office.db))
    await office.commands.reviewDriver(application.ID, 'approved')
  office.road.restore()
  await office.settle()
  for (const driver of [kofi, yaw]) {
    await driver.settle()
    expect((await queries.viewerSession(driver.db))?.user.driverStatus).toBe('approved')
    await driver.settle()
    const route = { pickupZone: 'Osu', dropoffZone: 'Tema' }
    expect((await lists.available(driver.db, route)).map((row) => row.ID)).toContain(id)
    const [advert] = await lists.available(driver.db, route)
    expect(advert?.view).not.toHaveProperty('recipientPhone')
    expect(holdsCode(JSON.stringify(advert), code)).toBe(false)
  }

  // Both ask for the job, Yaw in a dead zone and too late.
  yaw.road.cut()
  await yaw.commands.acceptDelivery(id)
  await kofi.commands.acceptDelivery(id)
  await kofi.settle()
  yaw.road.restore()
  await yaw.settle()
  expect((await outboxQueries.outbox(yaw.db))[0]).toMatchObject({
    state: 'refused',
    error: { reason: 'taken' },
  })
  expect(await lists.jobs(yaw.db)).toEqual([])
  expect((await lists.jobs(kofi.db))[0]?.view).toMatchObject({ recipientPhone: '0244123456' })
  expect((await lists.jobs(kofi.db))[0]?.view).not.toHaveProperty('deliveryCode')

  // Kofi picks up and hands over without a signal: nothing is claimed before the server knows.
  kofi.road.cut()
  await kofi.commands.pickUpDelivery(id)
  await kofi.commands.completeDelivery(id, code)
  await kofi.engine.wake()
  expect(await statusOn(kofi, id)).toBe('Accepted')
  kofi.road.restore()
  await kofi.settle()
  expect(await statusOn(kofi, id)).toBe('Delivered')

  // Ama approves, and the payment is released once.
  await amaAgain.settle()
  const before = await server.stats()
  await amaAgain.commands.approveDelivery(id)
  ama.road.setConditions((request) => (request.method === 'PATCH' ? 'doubled' : 'fine'))
  await amaAgain.settle()
  await kofi.settle()
  expect(await statusOn(amaAgain, id)).toBe('Approved')
  expect(await statusOn(kofi, id)).toBe('Approved')
  expect((await server.stats()).totalRevenue - before.totalRevenue).toBe(60)

  const steps = (await deliveryQueries.deliveryRow(amaAgain.db, id))?.view.history ?? []
  expect(steps.map(({ status }) => status)).toEqual([
    'Pending',
    'Accepted',
    'Picked Up',
    'Delivered',
    'Approved',
  ])
  expect(steps.every(({ occurredAt }) => occurredAt !== undefined)).toBe(true)
  for (const phone of [amaAgain, kofi, yaw, office]) await phone.kill()
})
