import type { Delivery } from '#domain/deliveries/delivery.ts'
import { toPesewas } from '#domain/money.ts'
import type { Ports } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'
import type { StoredDelivery } from '../ports/stores/delivery-stores.ts'
import { assertOffer } from '../rules/deliveries/offers.ts'
import { saveDelivery } from '../rules/deliveries/save-delivery.ts'
import { chargeMore } from '../rules/payments/charges.ts'
import { visibleTo } from '../rules/visibility.ts'
import { effect } from './effect.ts'

/** The difference is set aside when the delivery is saved (R169); where a provider charges it, once that is held (R179). */
export const raiseOffer = effect<'raiseOffer'>({
  async allowed({ ports: { options }, asked: { input } }) {
    assertOffer(input.offer, options)
  },
  async save(situation, raised) {
    const { stores, ports, before, actor } = situation
    const after = await withChargedRaise(situation, raised)
    const saved = await saveDelivery(stores, ports.secrets, before, after, actor)
    return { body: { delivery: visibleTo(actor, saved) } }
  },
})

type Raise = { stores: Stores; ports: Ports; before: StoredDelivery; asked: { at: string } }

/** The delivery with its offer as before until a provider holds the difference, where one charges it (R179). */
export async function withChargedRaise(
  { stores, ports: { secrets }, before, asked: { at } }: Raise,
  after: Delivery,
): Promise<Delivery> {
  if (before.payments !== 'paystack' || after.offer === before.offer) return after
  const pesewas = toPesewas(after.offer) - toPesewas(before.offer)
  const message = await chargeMore(stores, secrets, before, 'raise', pesewas, at)
  const history = (after.history ?? []).filter(
    ({ offer }, index) => index < (before.history?.length ?? 0) || offer === undefined,
  )
  const { offer } = before
  return { ...after, offer, history, payment: { status: 'held', ...before.payment, message } }
}
