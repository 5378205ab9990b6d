import { expect, test } from 'vitest'
import { room } from '#store/queries/room.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, startedPhone } = serverOfFile()

const number = '0244555111'

/** A guest's delivery, made on one phone and opened by SMS on another since. */
async function movedDelivery() {
  const phone = await startedPhone()
  const draft = await filledDraft(phone.commands, { senderPhone: number })
  const id = await phone.commands.requestDelivery(draft, 'guest')
  await phone.settle()
  const other = await startedPhone()
  await openedOn(other)
  return { phone, id }
}

async function openedOn(phone: Phone) {
  await phone.session.recoverGuest(number)
  await phone.session.confirmGuestRecovery(number, server().codeSentTo(number))
}

test('S74: a delivery opened on another phone stays on the first, which says so and can get it back', async () => {
  const { phone, id } = await movedDelivery()
  await phone.commands.reportIssue(id, 'Nobody came')
  await phone.settle()
  await phone.settle()
  const waiting = await phone.db.outbox.where('state').equals('parked').toArray()
  expect(waiting).toMatchObject([{ op: 'reportIssue', attempts: 0, error: { reason: 'moved' } }])
  expect(await room(phone.db, id)).toMatchObject({
    row: { known: true, view: { status: 'Pending' } },
    movedPhone: number,
  })
  expect(await phone.db.outbox.where('state').equals('refused').count()).toBe(0)
  await openedOn(phone)
  await phone.settle()
  await phone.settle()
  expect(await room(phone.db, id)).toMatchObject({ movedPhone: undefined })
  const reports = (await phone.db.outbox.toArray()).filter(({ op }) => op === 'reportIssue')
  expect(reports).toMatchObject([{ state: 'done', error: undefined }])
})

test('S74: nothing on the first phone makes a second delivery', async () => {
  const { phone, id } = await movedDelivery()
  for (let at = 0; at < 3; at++) {
    await phone.engine.refresh({ kind: 'delivery', id })
    await phone.settle()
  }
  await phone.commands.cancelDelivery(id)
  await phone.settle()
  for (const entry of await phone.db.outbox.where('state').equals('parked').toArray())
    await phone.commands.retry(entry.id)
  await phone.settle()
  const states = (await phone.db.outbox.toArray()).map(({ op, state }) => `${op} ${state}`)
  expect(states.sort()).toEqual([
    'cancelDelivery parked',
    'createGuestDelivery done',
    'uploadPhoto done',
  ])
  expect(
    await phone.db.deliveries
      .where({ account: guestAccount })
      .count()
      .catch(() => 1),
  ).toBe(1)
})
