import { expect, test } from 'vitest'
import * as queries from '#store/queries/queries.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createLocks, createNetwork } from '../../helpers/device/phone.ts'
import { createTimerClock } from '../../helpers/device/timer-clock.ts'
import { untilIdle } from '../../helpers/device/until-idle.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, newPhone, startedPhone } = serverOfFile()

test('S9: who asks while a round is under way is answered after one that began later', async () => {
  const [reached, asked] = signal()
  const [held, answer] = signal()
  let slow = false
  const network = createNetwork(async (request) => {
    if (slow && request.method === 'GET') {
      asked()
      await held
    }
    return server().fetch(request)
  })
  const phone = await startedPhone({}, network)
  slow = true
  const round = phone.engine.wake()
  await reached
  await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
  const later = phone.engine.wake()
  answer()
  await later
  expect(await queries.outboxSummary(phone.db)).toMatchObject({ unsent: 0 })
  await round
})

test('A screen opened during a round is served next, and one left meanwhile no more', async () => {
  const [reached, asked] = signal()
  const [held, answer] = signal()
  const network = createNetwork(async (request) => {
    if (/\/admin\//.test(request.url) && !request.url.includes('limit=1')) {
      asked()
      await held
    }
    return server().fetch(request)
  })
  const phone = await startedPhone({}, network)
  await phone.session.login(server().admin.email, server().admin.password)
  await phone.engine.wake()
  network.passed.length = 0
  // Six are asked for side by side.
  const shown = [
    'adminStats',
    'adminUsers',
    'adminDrivers',
    'adminTrends',
    'adminActivities',
    'adminAudit',
    'adminDeliveries',
  ]
  const leave = shown.map((kind) => phone.engine.watch({ kind }))
  await reached
  for (const each of leave) each()
  phone.engine.watch({ kind: 'adminDisputes', query: 'limit=1' })
  answer()
  await phone.engine.runRound()
  const paths = network.passed.map(({ path }) => path).filter((path) => path.includes('/admin/'))
  expect(paths.slice(0, 6).sort()).toEqual([
    '/api/admin/activities',
    '/api/admin/audit',
    '/api/admin/drivers/with-details',
    '/api/admin/stats',
    '/api/admin/trends',
    '/api/admin/users',
  ])
  expect(paths.slice(6)).toEqual(['/api/admin/disputes'])
})

test('Logging out, what another tab is sending is waited for', async () => {
  const network = createNetwork(server().fetch)
  const locks = createLocks()
  const clock = createTimerClock()
  const phone = newPhone({ locks, clock }, network)
  const sender = await server().sender()
  await phone.start()
  await phone.session.login(sender.email, sender.password)
  network.cut()
  const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
  await phone.engine.wake()
  let done = () => {}
  const busy = new Promise<void>((resolve) => {
    done = resolve
  })
  const other = locks.run(`soma-send:${phone.db.name}`, () => busy)
  network.restore()
  const leaving = phone.session.logout('send')
  await untilIdle(network)
  done()
  await other
  // The queue is looked at again while another tab sends.
  clock.pass(1_000)
  await leaving
  expect((await server().adminDeliveries()).map(({ ID }) => ID)).toContain(id)
})

/** A promise, and how to keep it. */
function signal(): [Promise<void>, () => void] {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return [given, () => give()]
}
