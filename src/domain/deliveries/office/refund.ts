import { Refusal } from '../../errors.ts'
import { isAmount, shortPrice, toCedis, toPesewas } from '../../money.ts'
import type { ActionTime, Actor, Delivery } from '../delivery.ts'
import { isDirect, partOf } from '../payment.ts'
import { next } from '../transitions.ts'
import { byOffice, mustBeOffice } from './office.ts'

/**
 * An admin gives the sender `amount` cedis of the driver's part back, or all of it, while its payout waits (R228).
 * Refusals: not-allowed, support, wrong-status, invalid.
 */
export function refund(
  delivery: Delivery,
  actor: Actor,
  when: ActionTime,
  { amount, reason }: { amount?: number; reason: string },
): Delivery {
  mustBeOffice(delivery, actor)
  if ('user' in actor && actor.user.role === 'support') throw new Refusal('support')
  const why = whyNot(delivery)
  if (why) throw new Refusal('wrong-status', why)
  const part = partOf(delivery)
  const back = amount === undefined ? part : toPesewas(amount)
  if ((amount !== undefined && !isAmount(amount)) || back > part)
    throw new Refusal('invalid', `At most ${shortPrice(toCedis(part))} can be refunded.`)
  const step = { ...byOffice(when, reason), corrected: ['driverShare'] }
  return next(delivery, delivery.status, step, { driverShare: toCedis(part - back) })
}

function whyNot(delivery: Delivery): string | undefined {
  if (delivery.status !== 'Approved')
    return 'It is not approved: what is held goes back when it ends.'
  if (isDirect(delivery)) return 'The sender pays the driver themselves: nothing is held to refund.'
  if (delivery.payout?.status !== 'waiting') return 'No payout of this delivery waits.'
  return partOf(delivery) === 0 ? 'All of it was refunded already.' : undefined
}
