import { expect, test } from 'vitest'
import { times } from '#domain/product.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import { createClock, createNetwork } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../server-fixture.ts'

const fixture = serverOfFile()

const hour = 3_600_000

/** A driver's phone with a job to rate, by a clock that stands still. `set` changes the device's clock alone. */
async function driverPhone(skew = 0) {
  const server = fixture.server()
  const time = createClock()
  const clock = {
    ...time,
    now: () => time.now() + skew,
    set: (ms: number) => {
      skew += ms
    },
  }
  const network = createNetwork((request) => server.fetch(request))
  const phone = fixture.newPhone({ clock }, network)
  const driver = await server.driver()
  const sender = await server.sender()
  const job = await server.delivery(sender)
  await server.drive(job, driver, 'Delivered')
  await server.changeStatus(sender, job.ID, 'Approved')
  await phone.start()
  await phone.session.login(driver.email, driver.password)
  await phone.engine.refresh({ kind: 'jobs' })
  const rates = () => network.passed.filter(({ path }) => path.endsWith('/rating')).length
  const stateOf = async (id: string) =>
    (await phone.db.outbox.where('id').equals(id).first())?.state
  /** Another tab of this phone, or the same one after a kill. */
  const reopened = async () => {
    const other = await fixture.startedPhone(
      { clock, dbName: phone.db.name, storage: phone.storage },
      network,
    )
    return other
  }
  const rate = (holdFor: number = times.undo) =>
    phone.commands.rateDelivery(job.ID, { stars: 5 }, { holdFor })
  return { phone, clock, job, rate, rates, stateOf, reopened }
}

test('S60, R99: a rating leaves ten seconds later and not before, whatever wakes the engine', async () => {
  const { phone, clock, rate, rates, stateOf } = await driverPhone()
  const entry = await rate()
  for (const ms of [0, 1_000, 4_000, 4_990]) {
    clock.pass(ms)
    await phone.engine.wake()
    expect([rates(), await stateOf(entry)]).toEqual([0, 'waiting'])
  }
  clock.pass(10)
  await phone.settle()
  expect(await stateOf(entry)).toBe('done')
  expect(rates()).toBe(1)
})

test('S60, R99: undone within ten seconds, the delivery is as before and the server never hears of it', async () => {
  const { phone, clock, job, rate, rates } = await driverPhone()
  const before = await deliveryQueries.deliveryRow(phone.db, job.ID)
  const entry = await rate()
  clock.pass(9_000)
  await phone.engine.wake()
  await phone.commands.discard(entry)
  clock.pass(60_000)
  await phone.settle()
  expect(rates()).toBe(0)
  expect(await deliveryQueries.deliveryRow(phone.db, job.ID)).toMatchObject({
    view: before?.view,
    marks: [],
  })
})

test('S60: what the person sends sooner leaves at once', async () => {
  const { phone, rate, rates } = await driverPhone()
  const entry = await rate()
  await phone.commands.retry(entry)
  await phone.settle()
  expect(rates()).toBe(1)
})

test('S60: “Try to send, then log out” sends what could still be undone', async () => {
  const { phone, rate, rates } = await driverPhone()
  await rate()
  await phone.session.logout('send')
  expect(rates()).toBe(1)
})

test.each([['a day back', -24 * hour]])(
  'S60: a clock that is set %s makes it leave neither sooner nor later',
  async (_, jump) => {
    const { phone, clock, rate, rates } = await driverPhone()
    const entry = await rate()
    clock.pass(3_000)
    clock.set(jump)
    await phone.engine.wake()
    const stored = await phone.db.outbox.where('id').equals(entry).first()
    expect(stored && phone.waits.left(stored)).toBe(7_000)
    clock.pass(6_990)
    await phone.engine.wake()
    expect(rates()).toBe(0)
    clock.pass(10)
    await phone.settle()
    expect(rates()).toBe(1)
  },
)

test('S60: a clock three hours ahead, set right while the app is closed, holds a rating ten seconds at most', async () => {
  const { phone, clock, rate, rates, reopened } = await driverPhone(3 * hour)
  await rate()
  await phone.kill()
  clock.set(-3 * hour)
  clock.pass(1_000)
  const again = await reopened()
  await again.engine.wake()
  expect(rates()).toBe(0)
  clock.pass(10_000)
  await again.settle()
  expect(rates()).toBe(1)
})

test('S60: another tab does not send it before, though the first one’s clock stood still in a sleep', async () => {
  const { clock, rate, rates, reopened } = await driverPhone()
  clock.set(15_000)
  await rate()
  const other = await reopened()
  clock.pass(9_000)
  await other.engine.wake()
  expect(rates()).toBe(0)
  clock.pass(1_000)
  await other.settle()
  expect(rates()).toBe(1)
})

test('S60: what the version before held is sent when its ten seconds are over', async () => {
  const { phone, clock, rate, rates } = await driverPhone()
  const entry = await rate(0)
  await phone.db.outbox
    .where('id')
    .equals(entry)
    .modify((each) => {
      delete each.wait
      Object.assign(each, { nextAt: clock.now() + 3 * hour, held: true })
    })
  await phone.engine.wake()
  expect(rates()).toBe(0)
  clock.pass(10_000)
  await phone.settle()
  expect(rates()).toBe(1)
})
