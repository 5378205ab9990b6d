import { Dexie } from 'dexie'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { SomaDb } from '#store/soma-db.ts'
import { createClock } from '../../helpers/device/phone.ts'
import { type Person, present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, phoneOf } = serverOfFile()

/** Which of the texts stand in the rows of this phone, in whatever table. */
async function heldOn(db: Dexie, texts: string[]): Promise<string[]> {
  const rows = await Promise.all(
    db.tables.map(async ({ name }) => (name === 'sessions' ? [] : db.table(name).toArray())),
  )
  const all = JSON.stringify(rows)
  return texts.filter((text) => all.includes(text))
}

async function lookingPhone({ email, password }: Person) {
  const clock = createClock()
  const phone = await phoneOf({ email, password }, { clock })
  const look = async () => {
    clock.pass(60_000)
    await phone.settle()
  }
  return { ...phone, look }
}

/** A job that was handed over, with the phones of both sides, which have seen each other's contact. */
async function handedOver() {
  const ama = await server().sender({ name: 'Ama Sendername' })
  const yaw = await server().driver({ name: 'Yaw Drivername' })
  const made = await server().delivery(ama, {
    recipientName: 'Esi Recipientname',
    recipientPhone: '0551234567',
    pickupPlace: { text: 'Blue gate' },
  })
  await server().drive(made, yaw, 'Delivered')
  const ofSender = [ama.phone, ama.email, 'Sendername', 'Recipientname', '0551234567', 'Blue gate']
  const ofDriver = [yaw.phone, yaw.email, 'Drivername']
  const phones = { sender: await lookingPhone(ama), driver: await lookingPhone(yaw) }
  expect(await heldOn(phones.driver.db, ofSender)).toEqual(ofSender)
  expect(await heldOn(phones.sender.db, ofDriver)).toEqual(ofDriver)
  return { ama, made, phones, ofSender, ofDriver }
}

test('S66: contacts leave both phones with the end of the delivery, and what the sender typed stays', async () => {
  const { ama, made, phones, ofSender, ofDriver } = await handedOver()
  const approval = { token: ama.token, id: made.ID, body: { status: 'Approved' as const } }
  await server().ask('changeStatus', approval)
  await phones.driver.look()
  await phones.sender.look()
  expect(await heldOn(phones.driver.db, ofSender)).toEqual([])
  expect(await heldOn(phones.sender.db, ofDriver)).toEqual([])
  expect(await heldOn(phones.sender.db, ['Recipientname', '0551234567', 'Blue gate'])).toHaveLength(
    3,
  )
})

test('S66: rows that an earlier version kept of what has ended lose their contacts with the update', async () => {
  const { phones, ofSender } = await handedOver()
  const { db } = phones.driver
  const [row] = await db.deliveries.toArray()
  const ended = { ...present(row), view: { ...present(row).view, status: 'Approved' as const } }
  const name = `before-${v7()}`
  const before = new Dexie(name)
  before.version(6).stores({ deliveries: '[account+ID]', outbox: '++seq, state' })
  await before.table('deliveries').bulkAdd([ended, { ...present(row), ID: 'open' }])
  before.close()
  const updated = new SomaDb(name)
  const rows = await updated.deliveries.toArray()
  const textsOf = (id: string) => {
    const text = JSON.stringify(rows.filter(({ ID }) => (ID === 'open') === (id === 'open')))
    return ofSender.filter((each) => text.includes(each))
  }
  expect([textsOf('ended'), textsOf('open')]).toEqual([[], ofSender])
  updated.close()
})
