import { Refusal } from '../../errors.ts'
import { minute } from '../../product.ts'
import type { User } from '../../users/user.ts'
import { type Delivery, isDriverOf, type StatusChange } from '../delivery.ts'
import { moneyDecision } from './decide.ts'

/** Milliseconds after an approval in which its driver may say that they were not paid (R171). */
const objection = 24 * 60 * minute

/** Whether its sender approved it, and so says that they paid the driver themselves (R171). */
export const saysPaid = (delivery: Delivery): boolean =>
  delivery.status === 'Approved' &&
  delivery.payment === undefined &&
  !moneyDecision(delivery) &&
  isBySender(approvalOf(delivery))

/** Neither the server nor the office paid anybody by approving it (R194). */
const isBySender = (approval: StatusChange | undefined) =>
  approval?.automatic !== true && approval?.by !== 'office'

const approvalOf = ({ history = [] }: Delivery) =>
  history.findLast(({ status }) => status === 'Approved')

/** Until when its driver may say that they were not paid, in milliseconds since 1970; missing where they cannot (R171). */
export function objectionEnd(delivery: Delivery): number | undefined {
  if (!saysPaid(delivery) || delivery.disputed || delivery.payout?.status !== 'paid')
    return undefined
  return Date.parse(approvalOf(delivery)?.at ?? delivery.updatedAt) + objection
}

/** Whether its driver has said that they were not paid, and support has not answered yet (R171). */
export const isSaidUnpaid = (delivery: Delivery): boolean =>
  saysPaid(delivery) && delivery.disputed === true && delivery.payout?.status === 'waiting'

/**
 * The driver says that the money which the sender says they paid did not arrive: it is owed again, and support looks
 * into it (R171). Counted from the approval's receipt, so that a wrong clock costs nobody their time.
 * Refusals: not-allowed, wrong-status.
 */
export function notReceived(delivery: Delivery, driver: User, at: string): Delivery {
  if (!isDriverOf(delivery, driver)) throw new Refusal('not-allowed')
  const end = objectionEnd(delivery)
  if (end === undefined) throw new Refusal('wrong-status')
  if (Date.parse(at) > end)
    throw new Refusal('wrong-status', 'It is more than 24 hours since the sender approved.')
  return { ...delivery, payout: { status: 'waiting' }, disputed: true, updatedAt: at }
}
