import { Refusal } from '#domain/errors.ts'
import { assertOffer } from '../../rules/deliveries/offers.ts'
import { saveDelivery } from '../../rules/deliveries/save-delivery.ts'
import { assertGhanaPhone, assertName } from '../../rules/new-contacts.ts'
import { visibleTo } from '../../rules/visibility.ts'
import { effect } from '../effect.ts'
import { withChargedRaise } from '../raise-offer.ts'

/** What a request would be refused for is refused here too; a raised offer is charged as the sender's is (R179, R193). */
export const correctDelivery = effect<'correctDelivery'>({
  async terms({ stores, before, asked: { input } }) {
    const named: { pickupZone?: string; dropoffZone?: string } = {}
    for (const field of ['pickupZone', 'dropoffZone'] as const) {
      const zone = input[field]
      // A delivery keeps the name that it was made with (R206).
      if (zone === undefined || zone === before[field]) continue
      named[field] = await stores.zones.nameOf(zone)
      if (!named[field]) throw new Refusal('unknown-zone')
    }
    return named
  },
  async allowed({ ports: { options }, asked: { input } }) {
    const { offer, recipientPhone, recipientName } = input
    if (offer !== undefined) assertOffer(offer, options)
    if (recipientPhone !== undefined) assertGhanaPhone(recipientPhone)
    if (recipientName !== undefined) assertName(recipientName)
  },
  async save(situation, corrected) {
    const { stores, ports, before, actor } = situation
    const after = await withChargedRaise(situation, corrected)
    const saved = await saveDelivery(stores, ports.secrets, before, after, actor)
    return { body: { delivery: visibleTo(actor, saved) } }
  },
})
