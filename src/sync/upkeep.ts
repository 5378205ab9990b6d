import type { Table } from 'dexie'
import type { Tools } from './tools.ts'

/** Nothing can be unreadable on a phone that holds nothing yet. */
export async function setAside({ db, clock }: Tools): Promise<void> {
  const held = [db.outbox, db.deliveries, db.guests, db.drafts, db.sessions] as Table[]
  const counts = await Promise.all(held.map((table) => table.limit(1).count()))
  if (counts.every((count) => count === 0)) return
  const { setAsideUnreadable } = await import('#store/set-aside.ts')
  await setAsideUnreadable(db, clock.now())
}

/** Only where something has ended, or a guest has been, is there anything to tidy away. */
export async function tidy(tools: Tools): Promise<void> {
  const { outbox, guests } = tools.db
  if ((await outbox.limit(1).count()) + (await guests.limit(1).count()) === 0) return
  // Not loaded for want of a network, it is done another time.
  const loaded = await import('./tidy.ts').catch(() => undefined)
  await loaded?.tidy(tools)
}
