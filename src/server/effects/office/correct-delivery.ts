import { Refusal } from '#domain/errors.ts'
import { assertOffer } from '../../rules/deliveries/offers.ts'
import { saveDelivery } from '../../rules/deliveries/save-delivery.ts'
import { assertGhanaPhone, assertName } from '../../rules/new-contacts.ts'
import { visibleTo } from '../../rules/visibility.ts'
import { effect } from '../effect.ts'
import { withChargedRaise } from '../raise-offer.ts'

/** What a request would be refused for is refused here too; a raised offer is charged as the sender's is (R179, R193). */
export const correctDelivery = effect<'correctDelivery'>({
  async allowed({ stores, ports: { options }, asked: { input }, before }) {
    const { offer, recipientPhone, recipientName } = input
    if (offer !== undefined) assertOffer(offer, options)
    if (recipientPhone !== undefined) assertGhanaPhone(recipientPhone)
    if (recipientName !== undefined) assertName(recipientName)
    if (input.pickupZone === undefined && input.dropoffZone === undefined) return
    const [pickup, dropoff] = await Promise.all(
      (['pickupZone', 'dropoffZone'] as const).map(async (end) => {
        // A former name too: the delivery may have it (R206). It keeps a zone that was deleted since.
        const name = await stores.zones.nameOf(input[end] ?? before[end])
        if (!name && input[end] !== undefined) throw new Refusal('unknown-zone')
        return name ?? before[end]
      }),
    )
    if (pickup === dropoff) throw new Refusal('same-zones')
  },
  async save(situation, corrected) {
    const { stores, ports, before, actor } = situation
    const after = await withChargedRaise(situation, corrected)
    const saved = await saveDelivery(stores, ports.secrets, before, after, actor)
    return { body: { delivery: visibleTo(actor, saved) } }
  },
})
