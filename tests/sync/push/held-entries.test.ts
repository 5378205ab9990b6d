import { expect, test } from 'vitest'
import { times } from '#domain/product.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import { createClock, createNetwork, createPhone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../server-fixture.ts'

const fixture = serverOfFile()

/** A driver's phone with a job on offer, by a clock that stands still. */
async function driverPhone() {
  const server = fixture.server()
  const clock = createClock()
  const network = createNetwork((request) => server.fetch(request))
  const phone = createPhone(network, { clock })
  const driver = await server.driver()
  await phone.start()
  await phone.session.login(driver.email, driver.password)
  const job = await server.delivery(await server.sender())
  await phone.engine.refresh({ kind: 'available' })
  const accepts = () => network.passed.filter(({ path }) => path.endsWith('/accept')).length
  const stateOf = async (id: string) =>
    (await phone.db.outbox.where('id').equals(id).first())?.state
  return { phone, clock, job, accepts, stateOf }
}

test('S60, R99: an accepted job leaves ten seconds later and not before, whatever wakes the engine', async () => {
  const { phone, clock, job, accepts, stateOf } = await driverPhone()
  const entry = await phone.commands.acceptDelivery(job.ID, { holdFor: times.undo })
  for (let second = 0; second < 10; second++) {
    await phone.engine.wake()
    expect([accepts(), await stateOf(entry)]).toEqual([0, 'waiting'])
    clock.pass(999)
  }
  clock.pass(10)
  await phone.settle()
  expect(await stateOf(entry)).toBe('done')
  expect(accepts()).toBe(1)
  await phone.kill()
})

test('S60, R99: undone within ten seconds, the job is on offer as before and the server never hears of it', async () => {
  const { phone, clock, job, accepts } = await driverPhone()
  const before = await deliveryQueries.deliveryRow(phone.db, job.ID)
  const entry = await phone.commands.acceptDelivery(job.ID, { holdFor: times.undo })
  expect((await deliveryQueries.activeJob(phone.db))?.ID).toBe(job.ID)
  clock.pass(9_000)
  await phone.engine.wake()
  await phone.commands.discard(entry)
  clock.pass(60_000)
  await phone.settle()
  expect(accepts()).toBe(0)
  expect(await deliveryQueries.activeJob(phone.db)).toBeNull()
  expect(await deliveryQueries.deliveryRow(phone.db, job.ID)).toMatchObject({
    view: before?.view,
    marks: [],
  })
  await phone.kill()
})

test('S60: what the person sends sooner leaves at once, and a clock set back by a day holds nothing longer', async () => {
  const { phone, job, accepts } = await driverPhone()
  const entry = await phone.commands.acceptDelivery(job.ID, { holdFor: times.undo })
  await phone.commands.retry(entry)
  await phone.settle()
  expect(accepts()).toBe(1)
  await phone.kill()
  const other = await driverPhone()
  await other.phone.commands.acceptDelivery(other.job.ID, { holdFor: times.undo })
  other.clock.pass(-25 * 3_600_000)
  await other.phone.settle()
  expect(other.accepts()).toBe(1)
  await other.phone.kill()
})
