import { guestAccount } from '#sync/database/engine-db.ts'
import { listKey } from '#sync/lists/list-ref.ts'
import type { EventsModel } from '#sync/model.ts'
import { isWay, offeredIn } from '../deliveries/offered-route.ts'
import type { SomaDb } from '../soma-db.ts'
import { affectedLists } from './affected-lists.ts'
import { guestIds, guestToHear } from './guest-subscriptions.ts'
import { savePushedOffers } from './pushed-offers.ts'

/** Lists whose changes no event names, or not every one. */
const notPushed = /^(config$|sessions$|adminAudit|priceGuide)/

/** A server takes so many; with more, the stream names none, and so all. */
const maxRoutes = 50

/** Deliveries, as the event stream needs them. */
export const eventsModel: EventsModel = {
  isPushed: (key, routes) =>
    !notPushed.test(key) &&
    (!/^available(\?|$)/.test(key) || routes.length === 0 || routes.includes(routeText(key))),
  routesOf(lists) {
    const offers = lists.filter(({ kind }) => kind === 'available')
    const routes = [...new Set(offers.map(({ query = '' }) => routeText(`available?${query}`)))]
    // An older server ignores a way beside a route; without any route it sends everything.
    const isMixed = new Set(routes.map((each) => each.split('=')[0])).size > 1
    return routes.length > maxRoutes || isMixed ? [] : routes.sort()
  },
  missedOfRoutes: { about: 'offers' },
  savePushed: savePushedOffers,
  async unpushedLists(db: SomaDb) {
    return (await guestIds(db)).map((id) => ({ kind: 'delivery', id }))
  },
  async guestListener(db: SomaDb, watched) {
    const guest = await guestToHear(db, watched)
    if (!guest) return undefined
    const { id, guestToken: token } = guest
    return { account: `${guestAccount} ${id}`, token, covers: [listKey({ kind: 'delivery', id })] }
  },
  affectedLists,
}

/** The route or way of a list of jobs on offer, as the stream's query takes it: two zones, `*` for any, and kilometres. */
function routeText(key: string): string {
  const offered = offeredIn(key)
  if (!isWay(offered)) return `route=${offered.pickupZone ?? '*'}|${offered.dropoffZone ?? '*'}`
  const { from, to, detour } = offered
  return `way=${from}|${to}${detour === undefined ? '' : `|${detour}`}`
}
