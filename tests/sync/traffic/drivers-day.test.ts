import { v7 } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPhone } from '../../helpers/device/phone.ts'
import { startDexieServer } from '../../helpers/server/dexie-server.ts'
import { type Guest, present } from '../../helpers/server/server.ts'
import { createSimulatedTime, type SimulatedTime } from '../model/devices/clock.ts'
import { createRandom } from '../model/scenario/random.ts'
import { countWire } from './wire.ts'

/* A driver's working day on the real engine and the real server, in simulated time, with every byte counted. */

const minute = 60_000
const jobs = { own: 10, passing: 40 }
/** Eight hours, in which a job is posted every 9.6 minutes. */
const pace = (8 * 60 * minute) / (jobs.own + jobs.passing)

let time: SimulatedTime
beforeEach(() => {
  time = createSimulatedTime(createRandom(7))
  time.install(true)
})
afterEach(() => time.restore())

test('S24: a driver’s day of 8 hours, 10 jobs and 40 others passing by takes at most 1 MB beside photos', async () => {
  const server = await time.whileBusy(() => startDexieServer({ clock: time.now }))
  const busy = <T>(work: () => Promise<T>): Promise<T> => time.whileBusy(work)
  const yaw = await busy(() => server.driver())
  const rival = await busy(() => server.driver())
  const { transport, traffic } = countWire((request) => server.fetch(request))
  const network = { transport, isCut: () => false, passed: [] }
  const clock = {
    now: time.now,
    monotonic: time.now,
    setTimeout: (work: () => void, delay: number) => time.setTimer(work, delay),
    clearTimeout: (timer: unknown) => time.clearTimer(timer as never),
  }
  const phone = createPhone(network as never, { clock, dbName: `day-${v7()}` })
  await busy(() => phone.start())
  await busy(() => phone.session.login(yaw.email, yaw.password))
  await time.pass(5_000)
  // The phone lies in its holder with the list of jobs open, all day.
  await busy(() => phone.commands.rememberRoute({ pickupZone: 'Osu' }))
  phone.engine.watch({ kind: 'available', query: 'pickupZone=Osu' })
  phone.engine.watch({ kind: 'driverStatus' })

  const post = (n: number) =>
    busy(() => server.guestDelivery({ itemDescription: `Parcel ${n}`, offer: 40 + n }))
  const approve = ({ delivery, token, phone: guestPhone }: Guest) =>
    busy(() =>
      server.ask('changeGuestStatus', {
        token,
        id: delivery.ID,
        body: { status: 'Approved', guestPhone },
      }),
    )

  let done = 0
  for (let n = 0; n < jobs.own + jobs.passing; n++) {
    const guest = await post(n)
    await time.pass(minute)
    if (n % 5 !== 0) {
      // Somebody else takes it, or its sender cancels.
      const id = guest.delivery.ID
      if (n % 2 === 0)
        await busy(() =>
          server.ask('changeGuestStatus', {
            token: guest.token,
            id,
            body: { status: 'Cancelled', guestPhone: guest.phone },
          }),
        )
      else await busy(() => server.drive(guest.delivery, rival, 'Delivered'))
      await time.pass(pace - minute)
      continue
    }
    const { ID } = guest.delivery
    const close = phone.engine.watch({ kind: 'delivery', id: ID })
    await busy(() => phone.commands.acceptDelivery(ID))
    await time.pass(3 * minute)
    await busy(() => phone.commands.pickUpDelivery(ID))
    await time.pass(3 * minute)
    await busy(() => phone.commands.completeDelivery(ID, present(guest.delivery.deliveryCode)))
    await time.pass(minute)
    await approve(guest)
    await time.pass(pace - 8 * minute)
    close()
    const row = await busy(() => phone.db.deliveries.get([yaw.user.ID, ID]))
    if (row?.view.status === 'Approved') done++
  }
  const { up, down, requests, byPath } = traffic
  const kilobytes = (bytes: number) => Math.round(bytes / 100) / 10
  const paths = [...byPath]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 6)
    .map(([path, bytes]) => `${path} ${kilobytes(bytes)}`)
  process.stdout.write(
    `A driver’s day: ${kilobytes(up)} kB sent, ${kilobytes(down)} kB received, ${requests} requests (kB: ${paths.join(', ')})\n`,
  )
  expect(done).toBe(jobs.own)
  expect(up + down).toBeLessThanOrEqual(1_000_000)
  await busy(() => phone.kill())
  await busy(() => server.close())
}, 120_000)
