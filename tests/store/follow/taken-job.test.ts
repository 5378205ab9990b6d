import { beforeEach, describe, expect, test } from 'vitest'
import { announcements } from '#store/queries/announcements.ts'
import { activeJob, deliveryRow } from '#store/queries/deliveries.ts'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import { viewerSession } from '#store/queries/queries.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { untilIdle } from '../../helpers/device/until-idle.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, driverPhone, phoneOf } = serverOfFile()

describe('S86: the phone of a driver whose job the office gave to another', () => {
  let phone: Phone
  let id: string

  beforeEach(async () => {
    id = (await server().delivery(await server().sender())).ID
    phone = await driverPhone()
    await phone.settle()
    await phone.commands.acceptDelivery(id)
    await phone.settle()
    network().cut()
    return () => phone.kill()
  })

  const give = (driver: string | null, reason = 'Bike broke down') =>
    server().ask('assignDriver', { token: server().admin.token, id, body: { driver, reason } })
  const comeBack = async () => {
    network().restore()
    await phone.settle()
    await untilIdle(network())
    await phone.settle()
  }
  const told = async (by = phone) =>
    (await announcements(by.db)).deliveries.map(({ delivery, as }) => [
      as,
      delivery.status,
      delivery.incidents?.at(-1)?.reason,
    ])

  test('drops it and says why, once', async () => {
    const other = await server().driver()
    await give(other.user.ID)
    await comeBack()
    expect(await activeJob(phone.db)).toBeNull()
    expect(await told()).toEqual([['driver', 'Pending', 'Bike broke down']])
    await phone.commands.sawAnnouncements([id])
    await comeBack()
    expect(await told()).toEqual([])
  })

  test('says so too where it is on offer again', async () => {
    await give(null)
    await comeBack()
    expect(await activeJob(phone.db)).toBeNull()
    expect(await told()).toEqual([['driver', 'Pending', 'Bike broke down']])
  })

  test('has what it did meanwhile refused with the reason, and can dismiss it', async () => {
    await phone.commands.pickUpDelivery(id)
    await give((await server().driver()).user.ID)
    await comeBack()
    const [entry] = (await outboxQueries.outbox(phone.db)).filter(
      ({ op }) => op === 'pickUpDelivery',
    )
    expect(entry).toMatchObject({
      state: 'refused',
      error: { reason: 'wrong-status', message: 'Support took this job off you: Bike broke down' },
    })
    await phone.commands.discard(present(entry).id)
    await comeBack()
    expect(await deliveryRow(phone.db, id)).toBeNull()
    expect(await activeJob(phone.db)).toBeNull()
  })

  test('says why it was taken off it, not why off the next', async () => {
    await give((await server().driver()).user.ID)
    await give((await server().driver()).user.ID, 'Second bike broke down')
    await comeBack()
    expect(await activeJob(phone.db)).toBeNull()
    expect(await told()).toEqual([['driver', 'Pending', 'Bike broke down']])
  })

  test('has it again when it was given back meanwhile, and what it did counts', async () => {
    const { user } = present(await viewerSession(phone.db))
    await phone.commands.pickUpDelivery(id)
    await give((await server().driver()).user.ID)
    await give(user.ID, 'Bike runs again')
    await comeBack()
    const states = (await outboxQueries.outbox(phone.db)).map(({ op, state }) => [op, state])
    expect(states).toContainEqual(['pickUpDelivery', 'done'])
    expect(await activeJob(phone.db)).toMatchObject({ ID: id, view: { status: 'Picked Up' } })
    expect(await told()).toEqual([])
  })

  test('says nothing of a job that it gave back itself', async () => {
    network().restore()
    await phone.commands.releaseJob(id, 'Flat tyre')
    await comeBack()
    expect(await activeJob(phone.db)).toBeNull()
    expect(await told()).toEqual([])
  })

  test('R192: the phone of the new driver has the job without having accepted it', async () => {
    const kofi = await server().driver()
    network().restore()
    const other = await phoneOf(kofi)
    await other.settle()
    network().cut()
    const made = await server().delivery(await server().sender())
    await give(kofi.user.ID)
    network().restore()
    await other.settle()
    await untilIdle(network())
    await other.settle()
    expect((await activeJob(other.db))?.ID).toBe(id)
    expect(await told(other)).toEqual([['driver', 'Accepted', undefined]])
    await expect(other.commands.acceptDelivery(made.ID)).rejects.toMatchObject({
      reason: 'active-job',
    })
  })
})
