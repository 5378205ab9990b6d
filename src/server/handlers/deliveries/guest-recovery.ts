import { Refusal } from '#domain/errors.ts'
import { times } from '#domain/product.ts'
import { addressLimits } from '../../limits/address-limits.ts'
import { confirmGuestPhone } from '../../notifications/guest-phones.ts'
import type { Handlers } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import { countRatingsOfGuest } from '../../rules/count-rating.ts'
import { smsCodes } from '../../rules/sms/sms-codes.ts'
import { smsCounter } from '../../rules/sms/sms-counter.ts'
import { visibleTo } from '../../rules/visibility.ts'

type GuestHandlers = Pick<Handlers, 'recoverGuest' | 'confirmGuestRecovery'>

/** The response whether or not this phone has deliveries (R56). */
const mayBeOnItsWay = 'If this number has deliveries, a code is on its way.'

/** A guest whose phone forgot gets their deliveries back with an SMS code (R109). */
export function guestHandlers(ports: Ports): GuestHandlers {
  const { secrets, options } = ports
  const { newCode, pretend, redeem } = smsCodes(ports)
  const { assertLeft, takeSms, order } = smsCounter(ports)
  const fromAddress = addressLimits(ports)

  /** The guest deliveries of this phone that are not over, or ended within a day. */
  const deliveriesOf = (stores: Stores, phone: string, at: string) =>
    stores.deliveries.ofGuest(phone, new Date(Date.parse(at) - times.guestRecord).toISOString())

  return {
    recoverGuest:
      ({ input: { guestPhone, erase }, address, solved, at }) =>
      async (stores) => {
        await fromAddress.count(stores, options.limits.resetRequests, { address, solved }, at)
        await assertLeft(stores, guestPhone, at)
        const [first] = erase
          ? await stores.personal.lockDeliveriesOfGuest(guestPhone)
          : await deliveriesOf(stores, guestPhone, at)
        const isSent = first !== undefined && (await takeSms(stores, 'recover', guestPhone, at))
        const of = isSent && { ID: first.ID, phone_number: guestPhone, email: '' }
        const messages = of ? [await newCode(stores, of, 'recover')] : []
        if (!of) await pretend(stores)
        return { body: { message: mayBeOnItsWay }, messages: await order(stores, messages, at) }
      },

    confirmGuestRecovery:
      ({ input: { guestPhone, code }, address, at }) =>
      async (stores) => {
        const guess = { phone: guestPhone, purpose: 'recover' as const, code, address }
        if (!(await redeem(stores, guess))) return { refusal: new Refusal('wrong-sms-code') }
        await confirmGuestPhone(stores, secrets, guestPhone, at)
        await countRatingsOfGuest(stores, secrets, guestPhone, at)
        const deliveries = []
        for (const { ID } of await deliveriesOf(stores, guestPhone, at)) {
          const guestToken = secrets.guestToken()
          await stores.guestTokens.endAllOf(ID)
          await stores.publish({ about: 'me', to: [ID] })
          await stores.guestTokens.add(secrets.hash(guestToken), ID)
          const delivery = visibleTo({ guestOf: ID }, await stores.deliveries.get(ID))
          deliveries.push({ delivery, guestToken })
        }
        return { body: { deliveries } }
      },
  }
}
