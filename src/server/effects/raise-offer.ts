import { assertOffer } from '../rules/deliveries/offers.ts'
import { effect } from './effect.ts'

/** The difference is set aside when the delivery is saved (R169). */
export const raiseOffer = effect<'raiseOffer'>({
  async allowed({ ports: { options }, asked: { input } }) {
    assertOffer(input.offer, options)
  },
})
