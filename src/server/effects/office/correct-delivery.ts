import { Refusal } from '#domain/errors.ts'
import { assertOffer } from '../../rules/deliveries/offers.ts'
import { saveDelivery } from '../../rules/deliveries/save-delivery.ts'
import { assertGhanaPhone, assertName } from '../../rules/new-contacts.ts'
import { visibleTo } from '../../rules/visibility.ts'
import { effect } from '../effect.ts'
import { withChargedRaise } from '../raise-offer.ts'

/** What a request would be refused for is refused here too; a raised offer is charged as the sender's is (R179, R193). */
export const correctDelivery = effect<'correctDelivery'>({
  async allowed({ stores, ports: { options }, asked: { input } }) {
    const { offer, recipientPhone, recipientName, pickupZone, dropoffZone } = input
    if (offer !== undefined) assertOffer(offer, options)
    if (recipientPhone !== undefined) assertGhanaPhone(recipientPhone)
    if (recipientName !== undefined) assertName(recipientName)
    const zones = [pickupZone, dropoffZone].filter((zone) => zone !== undefined)
    // A former name too: the delivery may have it (R206).
    const known = await Promise.all(zones.map(stores.zones.nameOf))
    if (known.includes(undefined)) throw new Refusal('unknown-zone')
  },
  async save(situation, corrected) {
    const { stores, ports, before, actor } = situation
    const after = await withChargedRaise(situation, corrected)
    const saved = await saveDelivery(stores, ports.secrets, before, after, actor)
    return { body: { delivery: visibleTo(actor, saved) } }
  },
})
