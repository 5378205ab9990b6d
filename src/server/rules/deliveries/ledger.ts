import type { Delivery } from '#domain/deliveries/delivery.ts'
import { toPesewas } from '#domain/money.ts'
import type { Transfer } from '../../ports/stores/record-stores.ts'

/*
 *   created:   sender ──hold──▶ escrow          (a guest pays from an account of that one delivery)
 *   approved:  escrow ──release──▶ driver
 *   cancelled: escrow ──refund──▶ sender     (of a job that a driver had: once it is held no more, R123)
 *   returned, split: escrow ──release──▶ driver  and  escrow ──refund──▶ sender, of what is left
 */

/** Created: the offer is held until the delivery ends (R41). */
export const hold = (delivery: Delivery, id: string): Transfer =>
  move(delivery, id, 'hold', toPesewas(delivery.offer), payer(delivery), escrow(delivery))

/** The transfers that end a delivery: the driver's part, and the rest to where it came from (R41, R105, R107). */
export function settlement(delivery: Delivery, newId: () => string): Transfer[] {
  const offer = toPesewas(delivery.offer)
  const part = delivery.status === 'Approved' ? offer : toPesewas(delivery.driverShare ?? 0)
  const transfers: Transfer[] = []
  const [from, driver] = [escrow(delivery), `driver:${delivery.driver?.id}`]
  if (part > 0) transfers.push(move(delivery, newId(), 'release', part, from, driver))
  const rest = offer - part
  if (rest > 0) transfers.push(move(delivery, newId(), 'refund', rest, from, payer(delivery)))
  return transfers
}

const escrow = (delivery: Delivery) => `escrow:${delivery.ID}`
const payer = (delivery: Delivery) =>
  delivery.sender ? `sender:${delivery.sender.id}` : `guest:${delivery.ID}`

function move(
  delivery: Delivery,
  id: string,
  kind: Transfer['kind'],
  pesewas: number,
  from: string,
  to: string,
): Transfer {
  return {
    id,
    kind,
    deliveryId: delivery.ID,
    at: delivery.updatedAt,
    entries: [
      { account: from, pesewas: -pesewas },
      { account: to, pesewas },
    ],
  }
}
