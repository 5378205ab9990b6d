import { guestAccount } from '#sync/database/engine-db.ts'
import { listKey } from '#sync/lists/list-ref.ts'
import type { EventsModel } from '#sync/model.ts'
import { isWay, type Offered, offeredIn } from '../deliveries/offered-route.ts'
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
    (!/^available(\?|$)/.test(key) || routes.length === 0 || isNamed(offeredIn(key), routes)),
  routesOf(lists) {
    const offers = lists
      .filter(({ kind }) => kind === 'available')
      .map((list) => offeredIn(listKey(list)))
    // An older server ignores a way beside a route. Of ways alone it ignores all, and sends everything.
    const write = offers.some(isWay) ? wayText : routeText
    const routes = [...new Set(offers.map(write))]
    // Names of zones that earlier versions took may hold what stands between two.
    const canBeNamed = !offers.some((each) => endsOf(each).some((zone) => zone.includes('|')))
    return routes.length > maxRoutes || !canBeNamed ? [] : routes.sort()
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

/** The zones of a list of jobs on offer, `*` for any. */
const endsOf = (offered: Offered): [from: string, to: string] =>
  isWay(offered)
    ? [offered.from, offered.to]
    : [offered.pickupZone ?? '*', offered.dropoffZone ?? '*']

/** Such a list as the stream's query takes it. */
const routeText = (offered: Offered): string => `route=${endsOf(offered).join('|')}`

/** With the kilometres of its detour, if any. A route of two zones is the way without one. */
function wayText(offered: Offered): string {
  const ends = endsOf(offered)
  const detour = isWay(offered) ? offered.detour : ends.includes('*') ? undefined : 0
  return `way=${[...ends, ...(detour === undefined ? [] : [detour])].join('|')}`
}

const isNamed = (offered: Offered, routes: readonly string[]): boolean =>
  routes.includes(wayText(offered)) || (!isWay(offered) && routes.includes(routeText(offered)))
