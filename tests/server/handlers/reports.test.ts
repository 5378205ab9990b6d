import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { present } from '../../helpers/server/server.ts'
import { serverFixture } from '../server-fixture.ts'

const server = await serverFixture()
const admin = await server.admin()

/** A delivery under way, about which both sides have reported something. */
async function reportedDelivery() {
  const sender = await server.sender()
  const driver = await server.driver()
  const made = await server.delivery(sender)
  await server.drive(made, driver, 'Accepted')
  const report = async (token: string, issue: string, type: 'sender_issue' | 'driver_issue') => {
    const body = { deliveryId: made.ID, issue, type, priority: 'medium' as const }
    return present((await server.ask('createDispute', { token, key: v7(), body })).value).dispute
  }
  const late = await report(sender.token, 'It is late', 'sender_issue')
  await report(driver.token, 'Nobody is there', 'driver_issue')
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
  const body = {
    deliveryId: made.ID,
    issue: 'My phone is old',
    type: 'sender_issue',
    priority: 'medium',
  } as const
  await server.ask('createDispute', { token: sender.token, key: v7(), body })
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
