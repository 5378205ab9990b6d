import type { Delivery } from '#domain/deliveries/delivery.ts'
import { paidToDriver } from '#domain/deliveries/payment.ts'
import { shortPrice, toCedis } from '#domain/money.ts'

/** What a driver gets of a job on offer (R174): `You get ₵54 (₵60 less 10 % fee)`. Nothing where there is no fee. */
export function LessFee({ of: { offer, feePercent } }: { of: Delivery }) {
  if (!feePercent) return null
  const net = toCedis(paidToDriver({ status: 'Approved', offer, feePercent }))
  return (
    <p className="text-sm">
      You get <strong>{shortPrice(net)}</strong> ({shortPrice(offer)} less {feePercent}&nbsp;% fee)
    </p>
  )
}
