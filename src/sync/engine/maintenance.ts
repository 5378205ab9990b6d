import { hasAny } from '#store/database/has-any.ts'
import type { Tools } from '../platform/context.ts'

/** Nothing can be unreadable on a phone that holds nothing yet. */
export async function setAside(tools: Tools): Promise<void> {
  const { db, clock } = tools
  const kept = [db.outbox, db.deliveries, db.guests, db.drafts, db.sessions, db.photos, db.meta]
  const held = await Promise.all(kept.map(hasAny))
  if (!held.includes(true)) return
  const { dropImagesLeft, forgetStrangers, setAsideUnreadable } = await import('../tidy.ts')
  await dropImagesLeft(tools)
  await setAsideUnreadable(db, clock.now())
  await forgetStrangers(db)
}

/** Only where something has ended, or a guest has been, is there anything to tidy away. */
export async function tidy(tools: Tools): Promise<void> {
  const { outbox, guests } = tools.db
  if (!(await hasAny(outbox)) && !(await hasAny(guests))) return
  // Not loaded for want of a network, it is done another time.
  const loaded = await import('../tidy.ts').catch(() => undefined)
  await loaded?.tidy(tools)
}
