import type { Delivery } from '#domain/deliveries/delivery.ts'
import { toPesewas } from '#domain/money.ts'

/** A movement of money, in whole pesewas. Its entries sum to zero (R40). */
export type Transfer = {
  id: string
  deliveryId: string
  kind: 'hold' | 'release' | 'refund'
  at: string
  entries: { account: string; pesewas: number }[]
}

/*
 *   created:   sender ──hold──▶ escrow          (a guest pays from an account of that one delivery)
 *   approved:  escrow ──release──▶ driver
 *   cancelled: escrow ──refund──▶ sender
 */

/** Created: the offer is held until the delivery ends (R41). */
export const hold = (delivery: Delivery, id: string): Transfer =>
  move(delivery, id, 'hold', payer(delivery), escrow(delivery))

/** Approved: the driver is paid (R41). */
export const release = (delivery: Delivery, id: string): Transfer =>
  move(delivery, id, 'release', escrow(delivery), `driver:${delivery.driver?.id}`)

/** Cancelled: the money returns to where it came from (R41). */
export const refund = (delivery: Delivery, id: string): Transfer =>
  move(delivery, id, 'refund', escrow(delivery), payer(delivery))

const escrow = (delivery: Delivery) => `escrow:${delivery.ID}`
const payer = (delivery: Delivery) =>
  delivery.sender ? `sender:${delivery.sender.id}` : `guest:${delivery.ID}`

function move(
  delivery: Delivery,
  id: string,
  kind: Transfer['kind'],
  from: string,
  to: string,
): Transfer {
  const pesewas = toPesewas(delivery.offer)
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
