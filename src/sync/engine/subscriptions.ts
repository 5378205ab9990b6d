import { hasAny } from '#store/database/has-any.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { shared, standing } from '../pull/lists.ts'

/** What screens watch, and what the person would miss on the road. `now` in milliseconds since 1970. */
export async function wantedLists(
  db: SomaDb,
  watched: Iterable<string>,
  now: number,
): Promise<string[]> {
  const session = await db.sessions.get('current')
  const user = session && !session.expired ? session.user : undefined
  const names = new Set([...watched, ...shared, ...standing(user)])
  if (user) names.add('me')
  if (await hasAny(db.guests)) {
    // Not loaded for want of a network, it is asked for again when there may be one.
    const loaded = await import('./guest-subscriptions.ts').catch(() => undefined)
    for (const name of (await loaded?.guestLists(db, now)) ?? []) names.add(name)
  }
  return [...names]
}
