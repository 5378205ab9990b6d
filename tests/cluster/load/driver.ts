import { setTimeout as pause } from 'node:timers/promises'
import type { Caller } from './caller.ts'
import type { Journal } from './journal.ts'
import type { Phone } from './phone.ts'

/** A driver who takes jobs from the list on their phone and delivers them, one at a time. Until `isOver`. */
export async function driver(
  { id: driverId, token }: { id: string; token: string },
  phone: Phone,
  { change }: Caller,
  journal: Journal,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await pause(100 + Math.random() * 200)
    await phone.pull()
    const jobs = phone.ids()
    const id = jobs[Math.floor(Math.random() * jobs.length)]
    if (id === undefined) continue
    // Another driver was faster, and this phone has not heard of it yet.
    const taken = await change('acceptDelivery', { id, token }, ['taken'])
    if (!taken) continue
    if (taken.delivery.driver?.id !== driverId) journal.violate(`${id} was given to another driver`)
    const known = await acknowledgedCreate(journal, id)
    known.driver = driverId
    known.statuses.push(taken.delivery.status)
    const picked = await change('changeStatus', { id, token, body: { status: 'Picked Up' } })
    if (picked) known.statuses.push(picked.delivery.status)
    await pause(100 + Math.random() * 200)
    const done = await change('completeDelivery', { id, token, body: { code: known.code } })
    if (done) known.statuses.push(done.delivery.status)
  }
}

/** The recipient tells the code, which the guest knows once their create was answered. */
async function acknowledgedCreate({ deliveries }: Journal, id: string) {
  for (;;) {
    const known = deliveries.get(id)
    if (known) return known
    await pause(50)
  }
}
