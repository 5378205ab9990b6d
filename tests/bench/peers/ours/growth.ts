import { settled } from '../durability.ts'
import { numbers, rowAt, sender } from '../rows.ts'
import { draftAt, freshPhone, hostedPhoto, timed } from './phone.ts'
import { rowOf } from './raw.ts'

const changes = 30

/** What one more change costs a phone that holds so many rows; medians of thirty. */
export async function grow(held: number, kind: 'enqueue' | 'pull'): Promise<number> {
  const soma = await freshPhone({ signedIn: true })
  for (let from = 0; from < held; from += 10_000) {
    const some = numbers(Math.min(10_000, held - from))
    await soma.db.deliveries.bulkPut(some.map((index) => rowOf(rowAt(from + index))))
  }
  const took = kind === 'enqueue' ? await enqueueSome(soma) : await pullSome(soma)
  await soma.db.delete()
  return took.sort((a, b) => a - b)[took.length >> 1] ?? Number.NaN
}

type Soma = Awaited<ReturnType<typeof freshPhone>>

async function enqueueSome(soma: Soma): Promise<number[]> {
  const photo = await hostedPhoto(soma)
  await settled()
  const took: number[] = []
  for (const index of numbers(changes))
    took.push(await timed(() => soma.commands.requestDelivery(draftAt(index, photo), 'guest')))
  return took
}

/** Each pull finds one row that somebody else has changed. */
async function pullSome(soma: Soma): Promise<number[]> {
  await soma.db.pulls.put({ account: sender.ID, list: 'sent', cursor: '0', at: Date.now() })
  await soma.engine.start()
  await settled()
  const took: number[] = []
  for (const index of numbers(changes)) {
    await fetch(`/touch?row=${index}`, { method: 'POST' })
    took.push(await timed(() => soma.engine.refresh('sent')))
    const row = await soma.db.deliveries.get([sender.ID, rowAt(index).ID])
    if (row?.view.updatedAt === rowAt(index).updatedAt) throw new Error('The change did not come')
  }
  await soma.engine.stop()
  return took
}
