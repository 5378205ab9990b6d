import { describe, expect, onTestFinished, test } from 'vitest'
import { SomaDb } from '#store/soma-db.ts'
import { drain } from '#store/worker.ts'
import { createLocks, createNetwork, createPhone } from '../../helpers/device/phone.ts'
import { createTimerClock } from '../../helpers/device/timer-clock.ts'
import { untilIdle } from '../../helpers/device/until-idle.ts'
import { serverOfFile } from '../server-fixture.ts'

const fixture = serverOfFile()
const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 0xff, 0xd9]).buffer

/** A driver at the door with a proof photo that does not stop going up. */
async function driverAtTheDoor() {
  const server = fixture.server()
  const clock = createTimerClock()
  const network = createNetwork((request) => server.fetch(request))
  const locks = createLocks()
  const phone = createPhone(network, { clock, locks })
  const driver = await server.driver()
  const sender = await server.sender()
  const ended = await server.delivery(sender)
  await server.drive(ended, driver, 'Delivered')
  await server.changeStatus(sender, ended.ID, 'Approved')
  const job = await server.delivery(sender)
  await server.drive(job, driver, 'Picked Up')
  await phone.start()
  await phone.session.login(driver.email, driver.password)
  await phone.engine.refresh({ kind: 'jobs' })
  let free = () => {}
  const held = new Promise<void>((resolve) => {
    free = resolve
  })
  network.hold((request) => (request.url.endsWith('/images/upload') ? held : undefined))
  onTestFinished(async () => {
    network.hold(() => undefined)
    free()
    await phone.kill()
  })
  const attach = async () =>
    phone.commands.attachProof(job.ID, await phone.commands.savePhoto(jpeg, 'image/jpeg'))
  /** Lets the phone do what it does within so many milliseconds. */
  const pass = async (ms: number) => {
    await untilIdle(network)
    clock.pass(ms)
    await untilIdle(network)
  }
  const sent = (end: string) => network.passed.filter(({ path }) => path.endsWith(end)).length
  return { server, phone, network, locks, clock, ended, job, sender, attach, pass, sent, free }
}

describe('S71: while a photo goes up', () => {
  test('S72: a code that is typed after the proof was taken leaves within a second', async () => {
    const { phone, job, attach, pass, sent } = await driverAtTheDoor()
    await attach()
    await pass(10_000)
    expect(sent('/images/upload')).toBe(0)
    await phone.commands.completeDelivery(job.ID, job.deliveryCode ?? '')
    await pass(1_000)
    expect(sent('/complete')).toBe(1)
  })

  test('S72: the proof that was taken before the code counts when it arrives after it', async () => {
    const { server, phone, job, sender, attach, pass, free } = await driverAtTheDoor()
    await attach()
    await phone.commands.completeDelivery(job.ID, job.deliveryCode ?? '')
    await pass(1_000)
    free()
    await pass(1_000)
    await phone.settle()
    const { value } = await server.ask('getDelivery', { token: sender.token, id: job.ID })
    expect(value?.delivery).toMatchObject({ status: 'Delivered' })
    expect(value?.delivery.proofOfDelivery).toBeDefined()
    expect((await phone.db.outbox.toArray()).map(({ state }) => state)).not.toContain('refused')
  })

  test('what was held for ten seconds leaves when they are over', async () => {
    const { phone, ended, attach, pass, sent } = await driverAtTheDoor()
    await attach()
    await pass(1_000)
    await phone.commands.rateDelivery(ended.ID, { stars: 5 }, { holdFor: 10_000 })
    await pass(9_000)
    expect(sent('/rating')).toBe(0)
    await pass(1_500)
    expect(sent('/rating')).toBe(1)
  })

  test('lists are pulled as ever', async () => {
    const { phone, network, attach, pass, sent } = await driverAtTheDoor()
    await attach()
    await pass(1_000)
    phone.engine.watch({ kind: 'available' })
    const before = sent('/driver/available-deliveries')
    await pass(1_000)
    expect(sent('/driver/available-deliveries')).toBe(before + 1)
    expect(network.underWay()).toBe(0)
  })

  test('by the worker, it sends what a page queues meanwhile', async () => {
    const { phone, network, locks, clock, job, attach, pass, sent } = await driverAtTheDoor()
    await phone.engine.stop()
    await attach()
    void drain('http://soma.test/api', {
      db: new SomaDb(phone.db.name),
      transport: network.transport,
      clock,
      locks,
      random: () => 0.5,
      isOffline: () => false,
    }).catch(() => {})
    await pass(1_000)
    await phone.commands.completeDelivery(job.ID, job.deliveryCode ?? '')
    await pass(1_000)
    expect(sent('/complete')).toBe(1)
  })
})
