import type { Question } from '#contract/call.ts'
import type { Delivery } from '#domain/delivery.ts'
import { isApprovedDriver } from '#domain/user.ts'
import { bounds } from '#store/account/account.ts'
import { mergeFromServer, removeAll } from '#store/deliveries/save-rows.ts'
import { refoldLanes, unsentKeys } from '#store/outbox/enqueue.ts'
import type { DeliveryRow, Session } from '#store/rows.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { type List, list, type Pages, second } from './lists.ts'

/**
 * Lists that are somebody's own, by the name screens watch them under; `delivery:<id>` is the one
 * delivery of a room. A visitor does without.
 */
export function ownListNamed(name: string): List | undefined {
  if (name.startsWith('delivery:')) return oneDelivery(name.slice('delivery:'.length))
  return Object.hasOwn(lists, name) ? lists[name] : undefined
}

const oneDelivery = (id: string): List =>
  list(
    'getDelivery',
    10 * second,
    async (db, account, { delivery }) => {
      await mergeFromServer(db, account, [delivery])
      await db.meta.delete(`gone:${account}:${id}`)
    },
    { question: { id } },
  )

type Many = { deliveries: Delivery[]; removed?: string[]; next?: string }

/** A list of deliveries: a delta names what left; a full answer leaves out what is no longer in it. */
const deliveries =
  (by: 'sentAt' | 'jobAt' | 'openAt') =>
  async (db: SomaDb, account: string, value: Many, _: Question, pages: Pages): Promise<void> => {
    if (!value.removed) pages.held ??= await keysOf(db, account, by)
    await mergeFromServer(db, account, value.deliveries)
    await removeAll(db, account, await leftOf(db, account, by, value, pages))
  }

const keysOf = (db: SomaDb, account: string, by: 'sentAt' | 'jobAt' | 'openAt') =>
  db.deliveries.where(`[account+${by}]`).between([account, ''], [account, '\uffff']).primaryKeys()

async function leftOf(
  db: SomaDb,
  account: string,
  by: 'sentAt' | 'jobAt' | 'openAt',
  { deliveries: rows, removed, next }: Many,
  { seen, held: before = [] }: Pages,
): Promise<string[]> {
  const held = (row: DeliveryRow | undefined) => row?.[by] !== undefined && row.known
  if (removed) {
    const named = await db.deliveries.bulkGet(removed.map((id): [string, string] => [account, id]))
    return named.flatMap((row) => (row && held(row) ? [row.ID] : []))
  }
  // Only a part of the list was asked for: it says nothing of the rest.
  if (next) return []
  const there = new Set(rows.map(({ ID }) => ID))
  const left = before.filter(([, id]) => !there.has(id) && !seen.has(id))
  const found = await db.deliveries.bulkGet(left)
  return found.flatMap((row) => (row && held(row) ? [row.ID] : []))
}

const lists: Record<string, List> = {
  me: list('me', 30 * second, (db, account, { user }) =>
    tellOf(db, account, (session) => ({ ...session, user, expired: undefined })),
  ),
  driverStatus: list('driverStatus', 30 * second, (db, account, { status }) =>
    tellOf(db, account, (session) => ({
      ...session,
      user: { ...session.user, driverStatus: status },
    })),
  ),
  sent: list('senderDeliveries', 10 * second, deliveries('sentAt'), { whole: true }),
  jobs: list('driverDeliveries', 10 * second, deliveries('jobAt'), {
    question: { query: { include_completed: 'true' } },
    whole: true,
  }),
  sessions: list('sessions', 60 * second, async (db, account, { sessions }) => {
    await db.ownSessions
      .where('[account+id]')
      .between(...bounds(account))
      .delete()
    await db.ownSessions.bulkPut(sessions.map((each) => ({ ...each, account })))
  }),
  available: list('availableDeliveries', 10 * second, deliveries('openAt'), { whole: true }),
}

/** What the server says of the person themselves, and what follows from it for the rows they have. */
async function tellOf(
  db: SomaDb,
  account: string,
  change: (session: Session) => Session,
): Promise<void> {
  const before = await db.sessions.get('current')
  if (before?.account !== account) return
  const session = change(before)
  await db.sessions.put(session)
  if (!isApprovedDriver(session.user)) await hideOffers(db, account)
  const { Verified, role, driverStatus } = before.user
  const { user } = session
  if (user.Verified === Verified && user.role === role && user.driverStatus === driverStatus) return
  // What the rules foresee of their intents depends on who they are.
  await refoldLanes(
    db,
    await db.outbox.where('[account+state]').anyOf(unsentKeys(account)).toArray(),
  )
}

/** Jobs on offer are for approved drivers: whoever is none any more sees no more of them. */
async function hideOffers(db: SomaDb, account: string): Promise<void> {
  const offers = await db.deliveries
    .where('[account+openAt]')
    .between(...bounds(account))
    .primaryKeys()
  if (offers.length === 0) return
  await removeAll(
    db,
    account,
    offers.map(([, id]) => id),
  )
  // An approval that comes again begins with the whole list.
  await db.pulls.delete([account, 'available'])
}
