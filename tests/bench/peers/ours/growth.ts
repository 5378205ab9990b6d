import type { Soma } from '#store/open.ts'
import { settled } from '../durability.ts'
import { numbers, rowAt, sender } from '../rows.ts'
import { draftAt, freshPhone, hostedPhoto, median, timed } from './phone.ts'
import { rowOf } from './raw.ts'

/** What one more change costs a phone that holds a great deal. */
const changes = 30

let phone: Soma

/** The sender's phone with so many rows, pulled until now. */
export async function hold(held: number): Promise<number> {
  phone = await freshPhone({ signedIn: true })
  for (let from = 0; from < held; from += 10_000) {
    const some = numbers(Math.min(10_000, held - from))
    await phone.db.deliveries.bulkPut(some.map((index) => rowOf(rowAt(from + index))))
  }
  await settled()
  return held
}

/** A request of a guest, awaited; the median of thirty. */
export async function enqueueOne(): Promise<number> {
  const photo = await hostedPhoto(phone)
  const took: number[] = []
  for (const index of numbers(changes))
    took.push(await timed(() => phone.commands.requestDelivery(draftAt(index, photo), 'guest')))
  return median(took)
}

/** A pull that finds one row which somebody else has changed; the median of thirty. */
export async function pullOne(): Promise<number> {
  await phone.db.pulls.put({ account: sender.ID, list: 'sent', cursor: '0', at: Date.now() })
  await phone.engine.start()
  await settled()
  const took: number[] = []
  for (const index of numbers(changes)) {
    await fetch(`/touch?row=${index}`, { method: 'POST' })
    took.push(await timed(() => phone.engine.refresh({ kind: 'sent' })))
    const row = await phone.db.deliveries.get([sender.ID, rowAt(index).ID])
    if (row?.view.updatedAt === rowAt(index).updatedAt) throw new Error('The change did not come')
  }
  await phone.engine.stop()
  return median(took)
}
