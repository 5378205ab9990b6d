import { beforeEach, describe, expect, test } from 'vitest'
import { dropFromList, projectLanes } from '#store/deliveries/projection.ts'
import { noteRefusedDelivery } from '#store/deliveries/save/refused-delivery.ts'
import { contextOf, deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'
import { createClock } from '../../helpers/device/phone.ts'

const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
let device: ReturnType<typeof createDevice>
const merge = (...rows: ReturnType<typeof deliveryOf>[]) => saveRows(device.db, 'ama', rows)
const drop = (...ids: string[]) =>
  device.db.transaction('rw', device.db.tables, async () => dropFromList(device.db, 'ama', ids))
const rowOf = (id: string) => device.db.deliveries.get(['ama', id])
const mine = (id: string, more: object = {}) => deliveryOf(id, { sender: ama, ...more })

beforeEach(async () => {
  device = createDevice()
  await signIn(device.db, person('ama', 'user'))
})

describe('S36: a row that a list no longer has', () => {
  test('leaves at once where nothing is pending, and others stay', async () => {
    await merge(mine('a'), mine('b'))
    await drop('a')
    expect(await rowOf('a')).toBeUndefined()
    expect(await rowOf('b')).toMatchObject({ known: true })
  })

  test('stays under what is pending, and leaves with it', async () => {
    await merge(mine('a'))
    await device.commands.cancelDelivery('a')
    await drop('a')
    expect(await rowOf('a')).toMatchObject({ view: { status: 'Cancelled' }, known: true })
    const [entry] = await device.db.outbox.toArray()
    await device.commands.discard(entry?.id ?? '')
    expect(await rowOf('a')).toBeUndefined()
  })

  test('stays for good when the server has it again, whatever becomes of what was pending', async () => {
    await merge(mine('a'))
    await device.commands.cancelDelivery('a')
    await drop('a')
    await merge(mine('a'))
    const [entry] = await device.db.outbox.toArray()
    await device.commands.discard(entry?.id ?? '')
    expect(await rowOf('a')).toMatchObject({ view: { status: 'Pending' }, marks: [] })
  })

  test('stays under what was refused, until the person has dealt with it', async () => {
    await merge(mine('a'))
    await device.commands.cancelDelivery('a')
    await device.db.outbox.toCollection().modify({ state: 'refused' })
    await drop('a')
    const entries = await device.db.outbox.toArray()
    await projectLanes(device.db, entries)
    expect(await rowOf('a')).toMatchObject({ known: true, marks: [{ state: 'refused' }] })
    await device.db.outbox.clear()
    await projectLanes(device.db, entries)
    expect(await rowOf('a')).toBeUndefined()
  })

  test('refused twice, stays under what is pending too', async () => {
    await merge(mine('a'), mine('b'))
    await device.commands.cancelDelivery('a')
    const clock = createClock()
    const context = contextOf(device.db, fetch, { clock })
    for (const id of ['a', 'b', 'a', 'b']) {
      await noteRefusedDelivery(device.db, 'ama', id, context.clock)
      clock.pass(6_000)
    }
    expect(await rowOf('a')).toBeDefined()
    expect((await rowOf('b'))?.known).not.toBe(true)
  })
})
