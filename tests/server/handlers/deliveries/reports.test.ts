import { expect, test } from 'vitest'
import { present } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

const server = await serverFixture()
const admin = await server.admin()

/** A delivery under way, about which both sides have reported something. */
async function reportedDelivery() {
  const sender = await server.sender()
  const driver = await server.driver()
  const made = await server.delivery(sender)
  await server.drive(made, driver, 'Accepted')
  const late = await server.report(sender, made.ID, 'It is late')
  await server.report(driver, made.ID, 'Nobody is there', 'driver_issue')
  const read = async (token: string, etag?: string) => {
    const {
      status,
      value,
      etag: tag,
    } = await server.ask('getDelivery', { token, id: made.ID, etag })
    return { status, tag, issues: value?.disputes?.map(({ issue }) => issue), value }
  }
  return { sender, driver, made, late, read }
}

test('R59: each side reads what it has reported itself, an admin everything', async () => {
  const { sender, driver, read } = await reportedDelivery()
  expect((await read(sender.token)).issues).toEqual(['It is late'])
  expect((await read(driver.token)).issues).toEqual(['Nobody is there'])
  expect((await read(admin.token)).issues).toEqual(['It is late', 'Nobody is there'])
})

test('R59: a driver who looks for jobs reads no report', async () => {
  const sender = await server.sender()
  const made = await server.delivery(sender)
  await server.report(sender, made.ID, 'My phone is old')
  const { value } = await server.ask('getDelivery', {
    token: (await server.driver()).token,
    id: made.ID,
  })
  expect(value).toMatchObject({ delivery: { ID: made.ID }, disputes: [] })
})

test('R59: a report and its answer change what "unchanged" means', async () => {
  const { sender, late, read } = await reportedDelivery()
  const before = await read(sender.token)
  expect((await read(sender.token, before.tag)).status).toBe(304)
  await server.ask('resolveDispute', {
    token: admin.token,
    id: late.ID,
    body: { status: 'resolved', resolution: 'The driver was called.' },
  })
  const after = await read(sender.token, before.tag)
  expect(after.status).toBe(200)
  expect(after.value?.disputes).toMatchObject([
    { status: 'resolved', resolution: 'The driver was called.' },
  ])
})

test('R128: a report is of the side that its caller is on, whatever the body says', async () => {
  const { sender, driver, made } = await reportedDelivery()
  for (const [by, type] of [
    [sender, 'driver_issue'],
    [driver, 'sender_issue'],
  ] as const) {
    await expect(server.report(by, made.ID, 'Mine', type)).rejects.toMatchObject({
      status: 400,
      reason: 'type',
    })
  }
  const { value } = await server.ask('adminDisputes', { token: admin.token })
  const about = present(value).disputes.filter(({ DeliveryID }) => DeliveryID === made.ID)
  expect(about.map(({ issue, reporter }) => [issue, reporter])).toEqual([
    ['Nobody is there', { side: 'driver', name: driver.user.name }],
    ['It is late', { side: 'sender', name: sender.user.name }],
  ])
  expect(JSON.stringify(about)).not.toContain('reportedBy')
})

test('R59: a later driver of the job reads nothing of what the one before reported', async () => {
  const { sender, driver, made, read } = await reportedDelivery()
  const release = { id: made.ID, body: { reason: 'Flat tyre' } }
  await server.ask('releaseJob', { token: driver.token, ...release })
  expect((await read(driver.token)).issues).toEqual(['Nobody is there'])
  const next = await server.driver()
  await server.drive(made, next, 'Accepted')
  expect((await read(next.token)).issues).toEqual([])
  expect((await read(sender.token)).issues).toEqual(['It is late'])
  await expect(read(driver.token)).rejects.toMatchObject({ status: 404 })
})

test('R132: an admin decides no dispute about their own delivery, and cancels it only as its sender may', async () => {
  const driver = await server.driver()
  const made = await server.delivery(admin)
  await server.drive(made, driver, 'Picked Up')
  const about = { token: admin.token, id: made.ID }
  const cancel = server.ask('changeStatus', { ...about, body: { status: 'Cancelled' } })
  await expect(cancel).rejects.toMatchObject({ status: 409, reason: 'wrong-status' })
  const { ID } = await server.report(admin, made.ID, 'I want my money')
  const decision = server.ask('resolveDispute', {
    token: admin.token,
    id: ID,
    body: { status: 'resolved', resolution: 'To me', decision: 'refund' },
  })
  await expect(decision).rejects.toMatchObject({ status: 403, reason: 'not-allowed' })
})
