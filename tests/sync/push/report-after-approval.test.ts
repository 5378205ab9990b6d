import { expect, test } from 'vitest'
import { ours } from '../../helpers/device/answers.ts'
import { createClock, createNetwork } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../server-fixture.ts'

/* An open issue blocks the approval (R108): of a report and an approval the one that was made first leaves first. */

const fixture = serverOfFile()
const isReport = (path: string) => path.endsWith('/disputes')

/** A sender's phone with a delivery that was handed over. */
async function senderPhone() {
  const server = fixture.server()
  const clock = createClock()
  const network = createNetwork((request) => server.fetch(request))
  const sender = await server.sender()
  const made = await server.delivery(sender)
  await server.drive(made, await server.driver(), 'Delivered')
  const phone = await fixture.phoneOf(sender, { clock }, network)
  const changes = () =>
    network.passed
      .filter(({ key }) => key !== null)
      .map(({ path }) => (isReport(path) ? 'report' : 'approval'))
  const statesOf = async () =>
    Object.fromEntries((await phone.db.outbox.toArray()).map(({ op, state }) => [op, state]))
  return { server, clock, network, phone, id: made.ID, sender, changes, statesOf }
}

const issue = 'The lid is scratched'

test('S4, R108: a report made before the approval was sent leaves after it, and both count', async () => {
  const { server, network, phone, id, sender, changes, statesOf } = await senderPhone()
  network.cut()
  await phone.commands.approveDelivery(id)
  await phone.commands.reportIssue(id, issue)
  await phone.settle()
  expect(changes()).toEqual([])
  network.restore()
  await phone.settle()
  expect(await statesOf()).toEqual({ approveDelivery: 'done', reportIssue: 'done' })
  expect(changes()).toEqual(['approval', 'report'])
  const known = await server.ask('getDelivery', { token: sender.token, id })
  expect(known.value).toMatchObject({ delivery: { status: 'Approved' } })
})

test('S4, R108: an approval made after a report that is not sent leaves after it, and moves no money', async () => {
  const { server, network, phone, id, sender, changes, statesOf } = await senderPhone()
  network.cut()
  await phone.commands.reportIssue(id, issue)
  await phone.commands.approveDelivery(id)
  await phone.settle()
  network.restore()
  await phone.settle()
  expect(changes()).toEqual(['report', 'approval'])
  expect(await statesOf()).toEqual({ approveDelivery: 'refused', reportIssue: 'done' })
  const known = await server.ask('getDelivery', { token: sender.token, id })
  expect(known.value).toMatchObject({ delivery: { status: 'Delivered', disputed: true } })
})

test('S4, S56: a report is sent also when the approval before it was taken back', async () => {
  const { network, phone, id, changes, statesOf } = await senderPhone()
  network.cut()
  const approval = await phone.commands.approveDelivery(id)
  await phone.commands.reportIssue(id, issue)
  await phone.commands.discard(approval)
  network.restore()
  await phone.settle()
  expect(await statesOf()).toEqual({ approveDelivery: 'cancelled', reportIssue: 'done' })
  expect(changes()).toEqual(['report'])
})

test.each([
  ['refused', 409, { error: 'It was cancelled.', reason: 'wrong-status' }],
  ['parked', 500, {}],
])(
  'S4, S9: a report is sent also when the approval before it is %s',
  async (end, status, body) => {
    const { clock, network, phone, id, statesOf } = await senderPhone()
    network.setConditions((_, { path, key }) =>
      key === null || isReport(path) ? 'fine' : ours(body, status),
    )
    await phone.commands.approveDelivery(id)
    await phone.commands.reportIssue(id, issue)
    // Long enough for what fails for an hour to be parked.
    for (let tries = 0; tries < 10 && (await statesOf()).reportIssue !== 'done'; tries++) {
      await phone.engine.wake()
      clock.pass(20 * 60_000)
    }
    expect(await statesOf()).toEqual({ approveDelivery: end, reportIssue: 'done' })
  },
  60_000,
)
