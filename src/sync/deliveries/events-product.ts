import { guestIds } from '#store/queries/guest-subscriptions.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { EventsProduct } from '../events/product.ts'
import { affectedLists } from './affected-lists.ts'

/** Lists whose changes no event names, or not every one. */
const notPushed = /^(config$|sessions$|adminAudit)/

/** Deliveries, as the event stream needs them. */
export const eventsProduct: EventsProduct = {
  isPushed: (key) => !notPushed.test(key),
  async unpushedLists(db: SomaDb) {
    return (await guestIds(db)).map((id) => ({ kind: 'delivery', id }))
  },
  affectedLists,
}
