import { beforeEach, describe, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { deliveryRow } from '#store/queries/deliveries.ts'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import { reportsOf } from '#store/queries/reports.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { untilIdle } from '../../helpers/device/until-idle.ts'
import { type Person, present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, driverPhone } = serverOfFile()

const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 0xff, 0xd9]).buffer

describe('S63: the phone of a driver whose job was cancelled', () => {
  let phone: Phone
  let ama: Person
  let id: string
  let code: string

  /** The phone has accepted the job, and has no network any more. */
  beforeEach(async () => {
    ama = await server().sender()
    const made = await server().delivery(ama)
    id = made.ID
    code = present(made.deliveryCode)
    phone = await driverPhone()
    await phone.settle()
    await phone.commands.acceptDelivery(id)
    await phone.settle()
    network().cut()
    return () => phone.kill()
  })

  const cancel = () =>
    server().ask('changeStatus', { token: ama.token, id, body: { status: 'Cancelled' } })
  /** What it learns of is queued by itself, and sent with what waits. */
  const settle = async () => {
    await phone.settle()
    await untilIdle(network())
    await phone.settle()
  }
  const comeBack = async () => {
    network().restore()
    await settle()
  }
  const held = async (): Promise<Delivery> => present((await server().held(id))[0])
  const said = () =>
    network()
      .passed.filter(({ path, method }) => method !== 'GET' && path.includes(id))
      .map(({ path }) => path.split('/').at(-1))
  const states = async () =>
    (await outboxQueries.outbox(phone.db)).map(({ op, state, lastAnswer }) => [
      op,
      state,
      lastAnswer?.status,
    ])

  test('says that it saw the cancel by itself, and the money goes back', async () => {
    await cancel()
    expect((await held()).refund).toBe('held')
    await comeBack()
    expect(said().at(-1)).toBe('cancel-seen')
    expect((await held()).refund).toBe('done')
    expect((await deliveryRow(phone.db, id))?.view).toMatchObject({ refund: 'done' })
    const entries = await outboxQueries.outbox(phone.db)
    // Nobody has asked for it, and nobody sees it.
    expect(entries.find(({ op }) => op === 'acknowledgeCancel')).toMatchObject({ isPart: 1 })
    await settle()
    expect(said().filter((each) => each === 'cancel-seen')).toHaveLength(1)
  })

  test('says so behind all that was done before, which is not lost', async () => {
    await phone.commands.pickUpDelivery(id)
    await phone.commands.completeDelivery(id, code)
    await phone.commands.attachProof(id, await phone.commands.savePhoto(jpeg, 'image/jpeg'))
    await cancel()
    await comeBack()
    const done = said().filter((each) => each !== 'cancel-seen')
    expect(done.slice(-3)).toEqual(['status', 'complete', 'status'])
    // Where the claim came first, nothing is left to confirm.
    expect([-1, done.length]).toContain(said().indexOf('cancel-seen'))
    const delivery = await held()
    expect(delivery).toMatchObject({ status: 'Cancelled', refund: 'held', disputed: true })
    expect(delivery.proofOfDelivery).toBeDefined()
    expect(await states()).toEqual(
      expect.arrayContaining([
        ['pickUpDelivery', 'done', 202],
        ['completeDelivery', 'done', 202],
        ['attachProof', 'done', 200],
      ]),
    )
    const row = await deliveryRow(phone.db, id)
    expect(row).toMatchObject({ marks: [], view: { status: 'Cancelled', disputed: true } })
    phone.engine.watch({ kind: 'delivery', id })
    await phone.settle()
    expect(await reportsOf(phone.db, id)).toMatchObject([{ status: 'open' }])
  })

  test('says so behind what the server does not take yet', async () => {
    await phone.commands.pickUpDelivery(id)
    await cancel()
    network().restore()
    network().setConditions((_, { path }) =>
      /\/(status|batch)$/.test(path)
        ? Response.json({ reason: 'internal' }, { status: 500 })
        : 'fine',
    )
    // It pulls the cancel, and its pick-up does not get through.
    await phone.engine.wake()
    await untilIdle(network())
    await phone.engine.wake()
    expect((await deliveryRow(phone.db, id))?.server).toMatchObject({ refund: 'held' })
    const waiting = await phone.db.outbox.where('state').anyOf('waiting', 'retrying').toArray()
    expect(waiting.map(({ op }) => op)).toEqual(['pickUpDelivery', 'acknowledgeCancel'])
    expect(said()).not.toContain('cancel-seen')
    network().restore()
    await settle()
    expect(said().slice(-2)).toEqual(['status', 'cancel-seen'])
    expect(await held()).toMatchObject({ refund: 'held', disputed: true })
  })

  test('an attempt that is refused between takes the hand-over after it not along', async () => {
    await phone.commands.pickUpDelivery(id)
    await phone.commands.reportAttempt(id, { reason: 'absent' })
    await phone.commands.completeDelivery(id, code)
    await cancel()
    await comeBack()
    expect(await states()).toEqual(
      expect.arrayContaining([
        ['reportAttempt', 'refused', 409],
        ['completeDelivery', 'done', 202],
      ]),
    )
    expect(await held()).toMatchObject({ refund: 'held', disputed: true })
  })

  test('a pick-up counts, and a wrong code after it does not', async () => {
    await phone.commands.pickUpDelivery(id)
    await phone.commands.completeDelivery(id, code === '11111' ? '22222' : '11111')
    await server().ask('changeStatus', {
      token: server().admin.token,
      id,
      body: { status: 'Cancelled' },
    })
    await comeBack()
    expect(await held()).toMatchObject({ refund: 'held', disputed: true })
    expect(await states()).toContainEqual(['completeDelivery', 'refused', 400])
  })
})
