import { Refusal } from '../../errors.ts'
import type { Delivery } from '../delivery.ts'
import { next } from '../transitions.ts'
import { endHold, isHeld } from './cancel-hold.ts'
import { type Decision, DecisionKind, decidedShare } from './incidents.ts'

/** What an admin decided. `driverShare` in cedis, for a split. */
export type Verdict = { kind: DecisionKind; reason: string; driverShare?: number }

/**
 * An admin decides about the money of a disputed delivery (R107): released it is Approved, refunded or split it
 * is Cancelled. Without a driver it can only be refunded. `none` leaves only its reason. Money that a cancel holds is
 * moved as well (R124). Refusals: wrong-status, invalid.
 */
export function decide(
  delivery: Delivery,
  { kind, reason, driverShare }: Verdict,
  at: string,
): Delivery {
  if (kind === 'none') {
    // Words about a delivery whose money an admin has moved do not replace the reason for that.
    return moneyDecision(delivery) ? delivery : { ...delivery, decision: { kind, reason, at } }
  }
  const isOver = delivery.status === 'Approved' || delivery.status === 'Cancelled'
  if (isOver && !isHeld(delivery))
    throw new Refusal('wrong-status', 'The money of this delivery is settled already.')
  if (kind !== 'refund' && !delivery.driver)
    throw new Refusal('wrong-status', 'No driver has this delivery, so nobody can be paid for it.')
  const share = decidedShare(delivery.offer, kind, driverShare)
  const isSplit = kind === 'split'
  const decision = { kind, reason, at, ...(isSplit ? { driverShare: share } : {}) }
  if (kind === 'release')
    return next(
      delivery,
      'Approved',
      { at },
      { decision, refund: undefined, refundDueAt: undefined },
    )
  const outcome = isSplit ? { outcome: 'split', driverShare: share } : {}
  // It was cancelled before: what is new is where its money goes.
  if (isHeld(delivery)) return { ...endHold(delivery, at), decision, ...outcome }
  return next(delivery, 'Cancelled', { at }, { decision, ...outcome })
}

/** The decisions open to an admin about this delivery (R107): it asks the rule itself. */
export const openDecisions = (delivery: Delivery): DecisionKind[] =>
  DecisionKind.options.filter((kind) => {
    try {
      decide(delivery, { kind, reason: '', driverShare: 0 }, delivery.updatedAt)
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  })

/** The decision by which money has moved; nothing where none did. */
export const moneyDecision = ({ decision }: Pick<Delivery, 'decision'>): Decision | undefined =>
  decision?.kind === 'none' ? undefined : decision
