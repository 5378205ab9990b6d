import { Dexie, liveQuery } from 'dexie'
import { sent } from '#store/queries/lists.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { settled } from '../durability.ts'
import { numbers, rowAt, sender } from '../rows.ts'
import { freshPhone, median, timed } from './phone.ts'
import { rawTable, rowOf } from './raw.ts'

/** Writes of which each is waited for until the list that is looked at shows it. */
const looks = 40

/**
 * From the command to the list that shows it, with `held` rows and `pending` intents waiting; the
 * median of forty. The network is away, as with anything that is pending.
 */
export async function see(held: number, pending: number): Promise<number> {
  const { db, commands } = await freshPhone({ signedIn: true })
  await db.deliveries.bulkPut(numbers(held).map((index) => rowOf(rowAt(index))))
  const ids = numbers(held).map((index) => rowAt(held - 1 - index).ID)
  for (const id of ids.slice(looks, looks + pending)) await commands.approveDelivery(id)
  await settled()
  const screen = watch(() => sent(db))
  const took: number[] = []
  for (const id of ids.slice(0, looks)) {
    const shown = screen.until((rows) => rows.some((row) => row.ID === id && row.marks.length > 0))
    took.push(await timed(() => Promise.all([commands.approveDelivery(id), shown])))
  }
  screen.leave()
  await db.delete()
  return median(took)
}

/** The same by Dexie alone: one row put, one live query over the same index. */
export async function seeRaw(held: number): Promise<number> {
  const { table, gone } = await rawTable()
  await table.bulkPut(numbers(held).map((index) => rowOf(rowAt(index))))
  await settled()
  const screen = watch(() =>
    table
      .where('[account+sentAt]')
      .between([sender.ID, Dexie.minKey], [sender.ID, Dexie.maxKey])
      .reverse()
      .limit(100)
      .toArray(),
  )
  const took: number[] = []
  for (const look of numbers(looks)) {
    const row = rowOf(rowAt(held - 1 - look))
    const changed = { ...row, view: { ...row.view, status: 'Approved' as const } }
    const shown = screen.until((rows) =>
      rows.some(({ ID, view }) => ID === row.ID && view.status === 'Approved'),
    )
    took.push(await timed(() => Promise.all([table.put(changed), shown])))
  }
  screen.leave()
  await gone()
  return median(took)
}

/** A list that is looked at: what it shows, as it comes. */
function watch(query: () => Promise<DeliveryRow[]>) {
  let look = (_: DeliveryRow[]) => {}
  const subscription = liveQuery(query).subscribe((rows) => look(rows))
  return {
    until: (seen: (rows: DeliveryRow[]) => boolean): Promise<void> =>
      new Promise((resolve) => {
        look = (rows) => seen(rows) && resolve()
      }),
    leave: () => subscription.unsubscribe(),
  }
}
