import type { ListRef } from '#store/database/lists.ts'
import { routeOf } from '#store/deliveries/offered-route.ts'
import {
  type ListIndex,
  saveDeliveries,
  saveDelivery,
  saveDriverStatus,
  saveSessions,
  saveUser,
} from '#store/deliveries/save/account-lists.ts'
import { saveOffers } from '#store/deliveries/save/offers.ts'
import { type List, list, second } from './lists.ts'

/** Lists of somebody's own, by kind; `delivery` is the one delivery of a screen. */
export function accountList({ kind, id, query }: ListRef): List | undefined {
  if (kind === 'delivery' && id !== undefined) return oneDelivery(id)
  if (kind === 'available') return offers(query)
  return Object.hasOwn(lists, kind) ? lists[kind] : undefined
}

const oneDelivery = (id: string): List =>
  list(
    'getDelivery',
    10 * second,
    (db, { delivery }, { answer }) => saveDelivery(db, id, delivery, answer),
    { question: { id } },
  )

/** Jobs on offer in the list of one page that is held; more are found by choosing a route. */
const offersHeld = '200'

/** Jobs on offer: the newest of one route, or of all (S50). */
function offers(query = ''): List {
  const route = routeOf(query)
  return list(
    'availableDeliveries',
    10 * second,
    (db, page, { answer }) => saveOffers(db, route, page, answer),
    { question: { query: { ...route, limit: offersHeld } }, firstPage: true },
  )
}

const deliveries = (
  op: 'senderDeliveries' | 'driverDeliveries',
  by: ListIndex,
  query?: Record<string, string>,
): List =>
  list(
    op,
    10 * second,
    (db, page, { pages, answer }) => saveDeliveries(db, by, page, pages, answer),
    { question: query && { query }, whole: true },
  )

const lists: Record<string, List> = {
  me: list('me', 30 * second, (db, { user }, { account }) => saveUser(db, account, user)),
  driverStatus: list('driverStatus', 30 * second, (db, { status }, { account }) =>
    saveDriverStatus(db, account, status),
  ),
  sent: deliveries('senderDeliveries', 'sentAt'),
  jobs: deliveries('driverDeliveries', 'jobAt', { include_completed: 'true' }),
  sessions: list('sessions', 60 * second, (db, { sessions }, { account }) =>
    saveSessions(db, account, sessions),
  ),
}
