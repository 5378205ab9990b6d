import type { Delivery } from '#domain/deliveries/delivery.ts'
import {
  holdOf,
  type Movement,
  payoutOf,
  raiseOf,
  settlementOf,
  surplusOf,
} from '#domain/deliveries/payment.ts'
import type { NewDelivery } from '../../ports/stores/delivery-stores.ts'
import type { Transfer } from '../../ports/stores/record-stores.ts'

/** Created: the offer is set aside until the delivery ends (R41). */
export const hold = (delivery: NewDelivery, id: string): Transfer =>
  transferOf(delivery, id, holdOf(delivery))

/** Sets aside what the offer was raised by (R169). Empty if it was not raised. */
export function raise(after: NewDelivery, before: Delivery, newId: () => string): Transfer[] {
  const movement = raiseOf(after, before)
  return movement ? [transferOf(after, newId(), movement)] : []
}

/** The transfers that end a delivery (R41, R105, R107). */
export const settlement = (delivery: NewDelivery, newId: () => string): Transfer[] =>
  settlementOf(delivery).map((movement) => transferOf(delivery, newId(), movement))

/** The transfers of a tip that was charged after the approval (R179). */
export const tipTransfers = (delivery: NewDelivery, newId: () => string): Transfer[] =>
  settlementOf(delivery)
    .filter(({ kind }) => kind === 'tip-hold' || kind === 'tip-release')
    .map((movement) => transferOf(delivery, newId(), movement))

/** What arrived and goes back (R176). */
export const surplus = (delivery: NewDelivery, newId: () => string, pesewas: number): Transfer[] =>
  surplusOf(pesewas).map((movement) => transferOf(delivery, newId(), movement))

/** What goes back to the payer after the end (R228). */
export const movedBack = (
  delivery: NewDelivery,
  movements: Movement[],
  newId: () => string,
): Transfer[] => movements.map((movement) => transferOf(delivery, newId(), movement))

/** The driver has their money, or after all has not (R172). */
export const payout = (
  delivery: NewDelivery,
  id: string,
  kind: 'payout' | 'unpaid',
  pesewas: number,
): Transfer => transferOf(delivery, id, payoutOf(kind, pesewas))

/**
 * A guest pays from an account of that one delivery. What is set aside is `promised` where the sender pays the driver, and
 * `escrow` where a provider holds it; so it was called in every delivery of earlier versions.
 */
function transferOf(delivery: NewDelivery, id: string, movement: Movement): Transfer {
  const { ID, sender, driver, payments, updatedAt } = delivery
  const accounts = {
    payer: sender ? `sender:${sender.id}` : `guest:${ID}`,
    'set-aside': `${payments === 'direct' ? 'promised' : 'escrow'}:${ID}`,
    owed: `owed:${ID}`,
    driver: `driver:${driver?.id}`,
    fees: 'fees',
  }
  const { kind, from, to, pesewas } = movement
  return {
    id,
    kind,
    deliveryId: ID,
    at: updatedAt,
    entries: [
      { account: accounts[from], pesewas: -pesewas },
      { account: accounts[to], pesewas },
    ],
  }
}
