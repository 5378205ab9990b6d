import { isActiveDelivery } from '#domain/deliveries/delivery.ts'
import { paidToDriver } from '#domain/deliveries/payment.ts'
import { toCedis, toPesewas } from '#domain/money.ts'
import type { DeliveryRow } from '#store/rows.ts'

/** In cedis. `completed`: how many jobs reached their recipient. */
type Earnings = { paid: number; waiting: number; completed: number }

/**
 * What a driver has earned: the offers of approved jobs (R41), and the shares of those that were returned or
 * split (R105, R107). A parcel on its way back waits for nobody's approval, whatever code was entered for it.
 */
export function earningsOf(rows: readonly DeliveryRow[]): Earnings {
  // In whole pesewas, because a sum of fractions of cedis gathers rounding errors.
  let [paid, waiting, completed] = [0, 0, 0]
  for (const { view, server } of rows) {
    const delivery = server?.returning ? server : view
    const { status, offer } = delivery
    if (!isActiveDelivery(delivery)) paid += paidToDriver(delivery)
    if (status === 'Delivered') waiting += toPesewas(offer)
    if (status === 'Approved' || status === 'Delivered') completed += 1
  }
  return { paid: toCedis(paid), waiting: toCedis(waiting), completed }
}
