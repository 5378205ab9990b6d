import { isSenderOf } from '#domain/deliveries/delivery.ts'
import { mustBeSenderOf } from '#domain/deliveries/transitions.ts'
import { Refusal } from '#domain/errors.ts'
import { type Handlers, requireActor } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import { equalSecrets } from '../../ports/secrets.ts'
import { saveDelivery } from '../../rules/deliveries/save-delivery.ts'
import { chargeAgain, handInOtp } from '../../rules/payments/charges.ts'
import { visibleTo } from '../../rules/visibility.ts'

/** The sender's part of a payment that a provider holds: another prompt, or the voucher (R176). */
export const paymentHandlers = ({ secrets }: Ports): Pick<Handlers, 'payDelivery'> => ({
  payDelivery:
    ({ id, input: { payer, otp, guestPhone }, at }) =>
    async (stores, caller) => {
      const by = requireActor(caller)
      const before = await stores.deliveries.lock(id)
      if (!before || !isSenderOf(before, by)) throw new Refusal('not-found')
      mustBeSenderOf(before, by)
      if (guestPhone !== undefined && !equalSecrets(guestPhone, before.senderPhone ?? ''))
        throw new Refusal('wrong-phone')
      if (otp === undefined) {
        const saved = await chargeAgain(stores, secrets, before, payer, { at, by })
        return { body: { delivery: visibleTo(by, saved) } }
      }
      await handInOtp(stores, id, otp, at)
      const { otp: _, message: __, ...payment } = before.payment ?? { status: 'waiting' }
      const saved = await saveDelivery(
        stores,
        secrets,
        before,
        { ...before, payment, updatedAt: at },
        by,
      )
      return { body: { delivery: visibleTo(by, saved) } }
    },
})
