import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { Network } from '#domain/users/payout-number.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { PaymentRow } from '../../ports/stores/payment-store.ts'

/** The mobile money account that pays. `phone`: ten digits. */
export type Payer = { phone: string; network: Network }

type NewCharge = Payer & Required<Pick<PaymentRow, 'cause' | 'pesewas'>>

/**
 * The ID of a payment, by what it is for. It is the reference at the provider, which takes each one once: what a restored
 * database has forgotten is asked for by the same reference, and paid once (R177).
 */
function paymentId(secrets: Secrets, ...parts: (string | number)[]): string {
  const hex = secrets.hash(`payment ${parts.join(' ')}`)
  // A UUID of version 8.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** Writes a charge that is sent next. `earlier`: how many charges its delivery had before. */
export async function addCharge(
  { payments }: Stores,
  secrets: Secrets,
  deliveryId: string,
  { cause, pesewas, phone, network }: NewCharge,
  at: string,
  earlier = 0,
): Promise<void> {
  await payments.add({
    id: paymentId(secrets, 'charge', deliveryId, cause, pesewas, earlier),
    kind: 'charge',
    deliveryId,
    cause,
    pesewas,
    phone,
    network,
    ...dueNow(at),
  })
}

/** Writes what gives `pesewas` of a charge back. `earlier`: how many refunds of it there are. */
export async function addRefund(
  { payments }: Stores,
  secrets: Secrets,
  { id, deliveryId }: PaymentRow,
  pesewas: number,
  at: string,
  earlier = 0,
): Promise<void> {
  await payments.add({
    id: paymentId(secrets, 'refund', id, ...(earlier > 0 ? [earlier] : [])),
    kind: 'refund',
    deliveryId,
    chargeId: id,
    pesewas,
    ...dueNow(at),
  })
}

/** Gives `pesewas` of what was charged for a delivery back, of the last charge first (R178). */
export async function refundCharges(
  stores: Stores,
  secrets: Secrets,
  { ID, updatedAt }: Delivery,
  pesewas: number,
): Promise<void> {
  const rows = await stores.payments.ofDelivery(ID)
  let left = pesewas
  for (const charge of offerCharges(rows).reverse()) {
    const refunds = rows.filter(({ chargeId }) => chargeId === charge.id)
    const kept = refunds.reduce((sum, refund) => sum - refund.pesewas, charge.pesewas)
    const part = Math.min(left, kept)
    if (part > 0) await addRefund(stores, secrets, charge, part, updatedAt, refunds.length)
    left -= part
  }
}

/** Charges for the offer that have arrived. */
const offerCharges = (rows: PaymentRow[]): PaymentRow[] =>
  rows.filter(
    ({ kind, status, cause }) => kind === 'charge' && status === 'paid' && cause !== 'tip',
  )

/** The ID of the payout of a driver's part. */
export const payoutOfPart = (secrets: Secrets, deliveryId: string): string =>
  paymentId(secrets, 'payout', deliveryId, 'part')

type NewPayout = Pick<PaymentRow, 'pesewas' | 'status' | 'reference' | 'dueAt'> & {
  what: 'part' | 'tip'
}

/** Writes what a driver has earned (R172). */
export async function addPayout(
  { payments }: Stores,
  secrets: Secrets,
  { ID, driver, updatedAt }: Delivery,
  { what, ...payout }: NewPayout,
): Promise<void> {
  await payments.add({
    ...dueNow(updatedAt),
    id: paymentId(secrets, 'payout', ID, what),
    kind: 'payout',
    deliveryId: ID,
    driverId: driver?.id,
    ...payout,
  })
}

const dueNow = (at: string) => ({
  status: 'waiting' as const,
  dueAt: at,
  tries: 0,
  createdAt: at,
  updatedAt: at,
})

/** What a delivery says of its payouts: the worst of them, since its offer and tip may be paid out apart. */
export function payoutOf(rows: PaymentRow[]): Delivery['payout'] {
  const order: PaymentRow['status'][] = ['failed', 'reversed', 'waiting', 'sent', 'paid']
  const [worst] = rows
    .filter(({ kind }) => kind === 'payout')
    .sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  if (!worst) return undefined
  const { status, message } = worst
  return status === 'paid' || !message ? { status } : { status, message }
}
