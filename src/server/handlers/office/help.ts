import type { Delivery } from '#domain/deliveries/delivery.ts'
import { mustBeOffice } from '#domain/deliveries/office/office.ts'
import { Refusal } from '#domain/errors.ts'
import { countAttempt } from '../../limits/rate-limits.ts'
import { isConfirmedByAnybody } from '../../notifications/guest-phones.ts'
import { type Handlers, requireActor } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import { openDispute } from '../../rules/deliveries/open-disputes.ts'
import { smsCounter } from '../../rules/sms/sms-counter.ts'
import { deliveryCodeMessage } from '../../rules/sms/sms-messages.ts'

/** What the office does for a caller that changes no step of the delivery. */
export function helpHandlers(ports: Ports): Pick<Handlers, 'reportFor' | 'sendCode'> {
  const { secrets, options } = ports
  const { countSms, order } = smsCounter(ports)
  return {
    /** The dispute is the side's own: whoever is on it reads it, and the answer (R195). */
    reportFor:
      ({ id, input: { side, issue }, key, at }) =>
      async (stores, actor) => {
        const delivery = await stores.deliveries.lock(id)
        if (!delivery) throw new Refusal('not-found')
        const by = requireActor(actor)
        mustBeOffice(delivery, by)
        if (side === 'driver' && !delivery.driver)
          throw new Refusal('wrong-status', 'No driver has this delivery.')
        await countAttempt(stores, secrets, options.limits.disputes, `${id} ${side}`, at)
        const reporter = side === 'driver' ? delivery.driver?.name : delivery.senderName
        const report = { ID: key ?? secrets.id(), issue, side, at, reporter }
        const { dispute } = await openDispute(stores, secrets, delivery, report, { by })
        const Message = `Issue reported by phone: ${delivery.itemDescription}`
        await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
        return { body: { dispute }, subject: `${id}: for the ${side}` }
      },

    /** Within the limits of every SMS to a number (R63, R196). */
    sendCode:
      ({ id, at }) =>
      async (stores, actor) => {
        const delivery = await stores.deliveries.get(id)
        if (!delivery) throw new Refusal('not-found')
        mustBeOffice(delivery, requireActor(actor))
        const { status, codeLocked, deliveryCode = '' } = delivery
        if (status !== 'Pending' && status !== 'Accepted' && status !== 'Picked Up')
          throw new Refusal('wrong-status', 'Its code is needed no more.')
        if (codeLocked) throw new Refusal('wrong-status', 'Its code is locked: ask for a new one.')
        const to = await confirmedPhone(stores, delivery)
        if (!to)
          throw new Refusal('wrong-status', 'The sender’s number was never confirmed by a code.')
        await countSms(stores, to, at)
        const messages = await order(stores, [deliveryCodeMessage(to, id, deliveryCode)], at)
        return { body: { message: `The code is on its way to ...${to.slice(-2)}.` }, messages }
      },
  }

  /** The sender's own number as it is now, or the guest's, where its owner has confirmed it (R149). */
  async function confirmedPhone(stores: Stores, { sender, senderPhone }: Delivery) {
    if (sender) {
      const user = await stores.users.get(sender.id)
      return user?.Verified ? user.phone_number : undefined
    }
    const isConfirmed = senderPhone && (await isConfirmedByAnybody(stores, secrets, senderPhone))
    return isConfirmed ? senderPhone : undefined
  }
}
