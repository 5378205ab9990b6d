import { publicDispute } from '#domain/deliveries/dispute.ts'
import { fold } from '#domain/fold.ts'
import { soughtText } from '#domain/office/search-text.ts'
import type { Handlers } from '../../ports/handler.ts'
import { visibleTo } from '../../rules/visibility.ts'
import { withDeliverer, withoutSettings } from './admin.ts'

/** Rows of each kind. */
const limit = 20

/** One search over people, deliveries, disputes and zones, the newest of each first (R186). */
export const searchHandlers = (): Pick<Handlers, 'adminSearch'> => ({
  adminSearch: ({ query: { q } }) => {
    const search = soughtText(q)
    return async (stores, actor) => {
      const people = await stores.users.list({ limit, search, isUncounted: true })
      const found = await stores.deliveries.list({ of: 'everyone' }, { limit, search })
      const disputes = await stores.disputes.find(search, limit)
      const zones = await stores.zones.list()
      return {
        body: {
          people: people.rows.map(withoutSettings),
          deliveries: found.rows.map((row) => withDeliverer(visibleTo(actor, row))),
          disputes: disputes.map(publicDispute),
          zones: zones.filter(({ Name }) => fold(Name).includes(fold(search))).slice(0, limit),
        },
      }
    }
  },
})
