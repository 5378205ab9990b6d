import { toPesewas } from '#domain/money.ts'
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
  async save({ stores, ports: { secrets }, before, actor, asked: { at } }, raised) {
    const after =
      before.payments === 'paystack'
        ? { ...before, payment: await chargedRaise(), updatedAt: at }
        : raised
    const saved = await saveDelivery(stores, secrets, before, after, actor)
    return { body: { delivery: visibleTo(actor, saved) } }

    async function chargedRaise() {
      const pesewas = toPesewas(raised.offer) - toPesewas(before.offer)
      const message = await chargeMore(stores, secrets, before, 'raise', pesewas, at)
      return { status: 'held', ...before.payment, message }
    }
  },
})
