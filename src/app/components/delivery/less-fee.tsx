import type { Delivery } from '#domain/deliveries/delivery.ts'
import { paidToDriver } from '#domain/deliveries/payment.ts'
import { shortPrice, toCedis } from '#domain/money.ts'

/**
 * What a driver reads of the money of a job on offer: that a provider holds it (R173), and what they get where there is a
 * fee (R174): `You get ₵54 (₵60 less 10 % fee)`.
 */
export function LessFee({ of: { offer, feePercent, payment } }: { of: Delivery }) {
  const net = toCedis(paidToDriver({ status: 'Approved', offer, feePercent }))
  return (
    <>
      {payment?.status === 'held' && <p className="text-sm font-semibold">Paid, held</p>}
      {feePercent !== undefined && feePercent > 0 && (
        <p className="text-sm">
          You get <strong>{shortPrice(net)}</strong> ({shortPrice(offer)} less {feePercent}
          &nbsp;% fee)
        </p>
      )}
    </>
  )
}
