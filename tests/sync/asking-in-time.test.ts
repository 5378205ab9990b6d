import { afterAll, beforeAll, expect, test } from 'vitest'
import * as queries from '#store/queries.ts'
import { realClock } from '#sync/tools.ts'
import { filledDraft } from '../helpers/device.ts'
import { createLocks, createNetwork, createPhone } from '../helpers/phone.ts'
import { startTown, type Town } from './town.ts'

let town: Town
beforeAll(async () => {
  town = await startTown()
})
afterAll(() => town.close())

test('S9: who asks while a round is under way is answered after one that began later', async () => {
  let asked = () => {}
  let answer = () => {}
  const reached = new Promise<void>((resolve) => {
    asked = resolve
  })
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  let slow = false
  const network = createNetwork(async (request) => {
    if (slow && request.method === 'GET') {
      asked()
      await held
    }
    return town.fetch(request)
  })
  const phone = createPhone(network)
  await phone.start()
  slow = true
  const round = phone.engine.wake()
  await reached
  await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
  const later = phone.engine.wake()
  answer()
  await later
  expect(await queries.outboxSummary(phone.db)).toMatchObject({ unsent: 0 })
  await round
  await phone.kill()
})

test('Logging out, what another tab is sending is waited for', async () => {
  const network = createNetwork(town.fetch)
  const locks = createLocks()
  const phone = createPhone(network, { locks, clock: realClock })
  const sender = await town.sender()
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
  network.heal()
  const leaving = phone.session.logout('send')
  setTimeout(done, 100)
  await leaving
  await other
  expect((await town.adminDeliveries()).map(({ ID }) => ID)).toContain(id)
  await phone.kill()
})
