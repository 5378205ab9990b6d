import { sideOf } from '#domain/deliveries/rate.ts'
import { refreshContacts, showRating } from '../rules/contacts.ts'
import { ratingCounts } from '../rules/count-rating.ts'
import { saveDelivery } from '../rules/deliveries/save-delivery.ts'
import { visibleTo } from '../rules/visibility.ts'
import { effect } from './effect.ts'

/** Counts the stars for the other side, where they count (R113, R137). */
export const rateDelivery = effect<'rateDelivery'>({
  async alsoLocks({ repo }, { id }) {
    const found = await repo.read(({ deliveries }) => deliveries.get(id))
    return [found?.sender?.id, found?.driver?.id].filter((each) => each !== undefined)
  },

  async terms({ stores, ports: { secrets }, before, actor, asked: { at } }) {
    const side = sideOf(before, actor)
    const counts = side === undefined || (await ratingCounts(stores, secrets, before, side, at))
    return counts ? {} : { counted: false }
  },

  async save({ stores, ports: { secrets }, before, actor, asked: { input, at } }, after) {
    const saved = await saveDelivery(stores, secrets, before, after)
    const side = sideOf(before, actor) === 'sender' ? 'sender' : 'driver'
    const rated = side === 'sender' ? before.driver : before.sender
    const isCounted = after.ratings?.[side]?.counted !== false
    const user = isCounted && rated && (await stores.users.rate(rated.id, input.stars))
    if (!user) return { body: { delivery: visibleTo(actor, saved) } }
    await refreshContacts(stores, user, at)
    const shown = await showRating(stores, saved, user, at)
    await stores.publish({ about: 'me', to: [user.ID] })
    return { body: { delivery: visibleTo(actor, shown) } }
  },
})
