import { type ListRef, listKey } from '#sync/lists/list-ref.ts'
import { isWay, offeredBy, offersRef } from '../deliveries/offered-route.ts'
import {
  saveDeliveries,
  saveDelivery,
  saveDriverStatus,
  saveReports,
  saveSessions,
  saveUser,
} from '../deliveries/save/account-rows.ts'
import { saveOffers } from '../deliveries/save/offers.ts'
import type { OwnIndex } from '../deliveries/save/old-rows.ts'
import { saveWayGuide } from '../deliveries/save/way-guides.ts'
import { hour, type List, list, second } from './lists.ts'

/** Lists of somebody's own, by kind; `delivery` is the one delivery of a screen. */
export function accountList({ kind, id, query }: ListRef): List | undefined {
  if (kind === 'delivery' && id !== undefined) return oneDelivery(id)
  if (kind === 'available') return offers(query)
  if (kind === 'priceGuide' && query !== undefined) return priceGuide(query)
  return Object.hasOwn(lists, kind) ? lists[kind] : undefined
}

const oneDelivery = (id: string): List =>
  list(
    'getDelivery',
    10 * second,
    async (db, { delivery, disputes }, { response }) => {
      await saveDelivery(db, id, delivery, response)
      // An admin has these from lists of their own.
      if (disputes) await saveReports(db, response.account, delivery.ID, disputes)
    },
    { question: { id } },
  )

/** Rows of a page: so many of a list come at once, older ones page by page (S50). */
const pageLimit = '200'

/** Jobs on offer: the newest of one route, or of all, or those on a way (S50, S85). */
function offers(query = ''): List {
  const asked = offeredBy(query)
  const key = listKey(offersRef(asked))
  return list(
    'availableDeliveries',
    10 * second,
    (db, page, { pages, response, serverTime }) =>
      saveOffers(db, { list: key, pages, serverTime }, page, response),
    {
      question: { query: { ...asText(asked), limit: pageLimit } },
      firstPage: true,
      ...(isWay(asked) ? { over: 'zones' } : {}),
    },
  )
}

/** What a way usually costs (R168). `query`: `from=Osu&to=Tema`. */
const priceGuide = (query: string): List =>
  list('priceGuide', hour, (db, found, { account }) => saveWayGuide(db, account, query, found), {
    question: { query: Object.fromEntries(new URLSearchParams(query)) },
    withoutDelta: true,
    guests: true,
  })

const asText = (values: object): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${value}`]))

/** However old they are, these come with the newest. */
const underWay = { status: 'Pending,Accepted,Picked Up,Delivered' }

const deliveries = (
  op: 'senderDeliveries' | 'driverDeliveries',
  by: OwnIndex,
  query?: Record<string, string>,
): List =>
  list(
    op,
    10 * second,
    (db, page, { pages, response, serverTime }) =>
      saveDeliveries(db, by, page, pages, response, serverTime),
    { question: { query: { ...query, limit: pageLimit } }, whole: true, besides: underWay },
  )

const lists: Record<string, List> = {
  me: list('me', 30 * second, (db, { user }, { account }) => saveUser(db, account, user)),
  driverStatus: list('driverStatus', 30 * second, (db, { status, reason }, { account }) =>
    saveDriverStatus(db, account, status, reason),
  ),
  sent: deliveries('senderDeliveries', 'sentAt'),
  jobs: deliveries('driverDeliveries', 'jobAt', { include_completed: 'true' }),
  sessions: list('sessions', 60 * second, (db, { sessions }, { account }) =>
    saveSessions(db, account, sessions),
  ),
}
