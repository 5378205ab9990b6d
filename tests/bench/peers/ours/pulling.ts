import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { settled } from '../durability.ts'
import { sender } from '../rows.ts'
import { freshPhone, pause, timed } from './phone.ts'
import { rawTable, rowOf } from './raw.ts'

/** The sender's list, whole, onto a phone that has nothing; with the few small pulls of any start. */
export async function pull(count: number): Promise<number> {
  const soma = await freshPhone({ signedIn: true })
  const took = await timed(async () => {
    void soma.engine.start()
    while (!(await soma.db.pulls.get([sender.ID, 'sent']))) await pause(10)
    await settled()
  })
  const held = await soma.db.deliveries.count()
  if (held !== count) throw new Error(`Held ${held} of ${count}`)
  await soma.engine.stop()
  await soma.db.delete()
  return took
}

/**
 * The same pages fetched one after another and put by Dexie alone: same row, same indexes, nothing
 * checked. `only put`: the rows lie in memory when the time begins.
 */
export async function putRaw(count: number, how: 'fetch and put' | 'only put'): Promise<number> {
  const { table, gone } = await rawTable()
  let rows: DeliveryRow[] = how === 'only put' ? await fetchAll() : []
  const took = await timed(async () => {
    if (how === 'fetch and put') rows = await fetchAll()
    await table.bulkPut(rows)
    await settled()
  })
  if (rows.length !== count) throw new Error(`Put ${rows.length} of ${count}`)
  await gone()
  return took
}

async function fetchAll(): Promise<DeliveryRow[]> {
  const rows: DeliveryRow[] = []
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const response = await fetch(`/api/sender/deliveries?after=${after}`)
    const page: { deliveries: Delivery[]; next?: string } = await response.json()
    rows.push(...page.deliveries.map(rowOf))
    after = page.next
  }
  return rows
}
