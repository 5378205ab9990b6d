import type { Delivery } from '#domain/deliveries/delivery.ts'
import { holdOf, type Movement, raiseOf, settlementOf } from '#domain/deliveries/payment.ts'
import type { Transfer } from '../../ports/stores/record-stores.ts'

/** Created: the offer is held until the delivery ends (R41). */
export const hold = (delivery: Delivery, id: string): Transfer =>
  transferOf(delivery, id, holdOf(delivery))

/** Holds what the offer was raised by (R169). Empty if it was not raised. */
export function raise(after: Delivery, before: Delivery, newId: () => string): Transfer[] {
  const movement = raiseOf(after, before)
  return movement ? [transferOf(after, newId(), movement)] : []
}

/** The transfers that end a delivery (R41, R105, R107). */
export const settlement = (delivery: Delivery, newId: () => string): Transfer[] =>
  settlementOf(delivery).map((movement) => transferOf(delivery, newId(), movement))

/** A guest pays from an account of that one delivery. */
function transferOf(delivery: Delivery, id: string, movement: Movement): Transfer {
  const { ID, sender, driver, updatedAt } = delivery
  const accounts = {
    payer: sender ? `sender:${sender.id}` : `guest:${ID}`,
    escrow: `escrow:${ID}`,
    driver: `driver:${driver?.id}`,
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
