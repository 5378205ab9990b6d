import { v7 } from 'uuid'
import { createPhone } from '../../helpers/device/phone.ts'
import { startDexieServer } from '../../helpers/server/dexie-server.ts'
import { type Guest, present } from '../../helpers/server/server.ts'
import { createSimulatedTime, type SimulatedTime } from '../model/devices/clock.ts'
import { createRandom } from '../model/scenario/random.ts'
import { countWire, type Traffic } from './wire.ts'

/* A driver's working day on the real engine and the real server, in simulated time, with every byte counted. */

const minute = 60_000
/** A job is posted every 9.6 minutes: 50 in eight hours. */
const pace = 9.6 * minute

/** Every fifth of `jobs` jobs is the driver's own, the others pass by. Returns how many were done, and the traffic. */
export async function driversDay(jobs: number): Promise<{ done: number; traffic: Traffic }> {
  const time = createSimulatedTime(createRandom(7))
  time.install(true)
  try {
    return await work(time, jobs)
  } finally {
    time.restore()
  }
}

async function work(time: SimulatedTime, jobs: number) {
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
  for (let n = 0; n < jobs; n++) {
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
  await busy(() => phone.kill())
  await busy(() => server.close())
  return { done, traffic }
}
