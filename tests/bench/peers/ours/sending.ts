import { settled } from '../durability.ts'
import { numbers } from '../rows.ts'
import { draftAt, freshPhone, hostedPhoto, pause, timed } from './phone.ts'

type Soma = Awaited<ReturnType<typeof freshPhone>>

/** The whole command: rule, row, entry and guest record, durable. `burst`: not waiting for each. */
export async function enqueue(count: number, how: 'burst' | 'awaited'): Promise<number> {
  const soma = await freshPhone()
  const photo = await hostedPhoto(soma)
  await settled()
  const one = (index: number) => soma.commands.requestDelivery(draftAt(index, photo), 'guest')
  const took = await timed(async () => {
    if (how === 'burst') await Promise.all(numbers(count).map(one))
    else for (const index of numbers(count)) await one(index)
    await settled()
  })
  await soma.db.delete()
  return took
}

/**
 * Mutations queued with no network, then sent until the server has answered all and the answers are
 * kept. `disputes`: every second one is a report about the request before it, which must come after it.
 */
export async function replay(count: number, disputes: boolean): Promise<number> {
  const soma = await freshPhone()
  const photo = await hostedPhoto(soma)
  for (let index = 0; index < count; index += disputes ? 2 : 1) {
    const id = await soma.commands.requestDelivery(draftAt(index, photo), 'guest')
    if (disputes) await soma.commands.reportIssue(id, `Issue ${index}`)
  }
  await settled()
  let started: Promise<void> | undefined
  const took = await timed(async () => {
    // What it then asks the server for is not part of what was queued.
    started = soma.engine.start()
    while (await unsent(soma)) await pause(5)
    await settled()
  })
  await started
  await soma.engine.stop()
  await soma.db.delete()
  return took
}

const unsent = ({ db }: Soma) =>
  db.outbox.where('state').anyOf('waiting', 'sending', 'retrying', 'parked').limit(1).count()
