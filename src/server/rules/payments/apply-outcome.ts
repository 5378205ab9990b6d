import { type Delivery, isActiveDelivery, isOnOffer } from '#domain/deliveries/delivery.ts'
import { isHeld } from '#domain/deliveries/endings/cancel-hold.ts'
import { isFunded, settlementOf } from '#domain/deliveries/payment.ts'
import { next } from '#domain/deliveries/transitions.ts'
import { shortPrice, toCedis, toPesewas } from '#domain/money.ts'
import { notifyOffice } from '../../notifications/notify.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { hasFailed, type PaymentRow } from '../../ports/stores/payment-store.ts'
import { payout, surplus } from '../deliveries/ledger.ts'
import { addRefund, payoutOf } from '../deliveries/payment-rows.ts'
import { saveDelivery } from '../deliveries/save-delivery.ts'

/** What is known of a payment now. `dueAt`: when it is taken next, unless as usual. */
export type Known = Pick<PaymentRow, 'status' | 'message' | 'reference' | 'phone' | 'network'> & {
  /** As the provider has them, where it says so. */
  pesewas?: number
  dueAt?: string
  /** 0 where it is known that nothing was sent. */
  tries?: number
}

type Needs = Pick<Ports, 'repo' | 'secrets' | 'clock' | 'log'>
/** A payment before and after what is known now, with its delivery; all in one transaction. */
type Change = {
  stores: Stores
  secrets: Secrets
  delivery: StoredDelivery
  before: PaymentRow
  after: PaymentRow
}

const day = 24 * 60 * 60_000
/** Milliseconds from one question to the next: a failed prompt sends no event (R177). */
const delays = [10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000]

/** When a payment that was taken for the `tries`th time is taken next, ISO 8601. */
export const nextTry = (tries: number, now: number): string =>
  new Date(now + (delays[tries - 1] ?? 6 * 3_600_000)).toISOString()

/**
 * Writes what is known of a payment, and what follows: the one place where money of a provider moves (R177). `row`: as it
 * was taken; if it has been taken again since, that one knows more, unless this one knows that a charge has succeeded.
 */
export async function applyOutcome(ports: Needs, row: PaymentRow, known: Known): Promise<void> {
  const { repo, secrets, clock, log } = ports
  await repo.transaction(async (stores) => {
    const delivery = await stores.deliveries.lock(row.deliveryId)
    const before = await stores.payments.lock(row.id)
    if (!delivery || !before) return
    const isLast = before.tries === row.tries && before.status === row.status
    const hasSucceeded = row.kind === 'charge' && known.status === 'paid'
    if (!isLast && !hasSucceeded) return
    const isOther = known.status === 'paid' && (known.pesewas ?? row.pesewas) !== row.pesewas
    if (isOther)
      log.error({ payment: row.id }, 'The payment provider reports another amount: nothing moves')
    const after = rowAfter(before, row, isOther ? otherAmount(row) : known, clock())
    await stores.payments.save(after)
    const change = { stores, secrets, delivery, before, after }
    if (row.kind === 'charge') await applyCharge(change)
    else await applyTransfer(change)
  })
}

/** A charge of another amount gives the sender nothing; of the others nobody knows what arrived. */
const otherAmount = ({ kind, status }: PaymentRow): Known => ({
  status: kind === 'charge' ? 'failed' : status,
  message: 'The payment provider reports another amount.',
})

function rowAfter(before: PaymentRow, row: PaymentRow, known: Known, now: number): PaymentRow {
  const status = statusAfter(before, known.status, now)
  // A voucher that came meanwhile is handed in at once.
  const otp = before.otp === row.otp ? undefined : before.otp
  return {
    ...before,
    status,
    otp,
    tries: known.tries ?? before.tries,
    message: known.message ?? messageOf(before, status),
    reference: known.reference ?? before.reference,
    phone: known.phone ?? before.phone,
    network: known.network ?? before.network,
    dueAt: otp ? iso(now) : (known.dueAt ?? dueAfter(before, status, now)),
    updatedAt: iso(now),
  }
}

/** Where the provider says nothing. */
const messageOf = (before: PaymentRow, status: Known['status']): string | undefined =>
  status === before.status
    ? before.message
    : status === 'failed'
      ? 'It did not go through.'
      : undefined

function statusAfter(before: PaymentRow, said: Known['status'], now: number): Known['status'] {
  if (before.kind !== 'charge') return said
  // What was charged is kept or refunded; what its payer got back otherwise, the reconciliation names.
  if (before.status === 'paid') return 'paid'
  if (said === 'reversed') return 'failed'
  const isOld = now - Date.parse(before.createdAt) > day
  // Should it succeed after all, the provider says so, and it is asked.
  return isOld && (said === 'sent' || said === 'otp') ? 'failed' : said
}

function dueAfter({ kind, tries }: PaymentRow, status: Known['status'], now: number) {
  if (status === 'failed' && kind === 'refund') return iso(now + day)
  const isOpen = status === 'waiting' || status === 'sent' || status === 'otp'
  return isOpen ? nextTry(tries, now) : undefined
}

async function applyCharge(change: Change): Promise<void> {
  const { stores, secrets, delivery, before, after } = change
  if (after.status === 'paid') {
    if (before.status !== 'paid') await fund(change)
    return
  }
  const { cause, status, message = 'It failed.', updatedAt, pesewas } = after
  const { payment } = delivery
  const save = (said: Delivery['payment']) =>
    isEqual(said, payment)
      ? undefined
      : saveDelivery(stores, secrets, delivery, { ...delivery, payment: said, updatedAt })
  if (cause !== 'offer') {
    if (status !== 'failed' || !payment || (cause === 'raise' && !isOnOffer(delivery))) return
    const what = cause === 'tip' ? 'tip' : 'higher offer'
    const text = `The ${what} of ${shortPrice(toCedis(pesewas))} was not paid: ${message}`
    await save({ ...payment, message: text })
    return
  }
  const rows = await stores.payments.ofDelivery(delivery.ID)
  const last = rows.findLast((row) => row.kind === 'charge' && row.cause === 'offer')
  if (isFunded(delivery) || last?.id !== after.id) return
  if (status === 'failed') await save({ status, message, at: updatedAt })
  else
    await save({
      status: 'waiting',
      message: after.message,
      ...(status === 'otp' ? { otp: true } : {}),
      at: payment?.status === 'waiting' ? payment.at : updatedAt,
    })
}

/** A charge has succeeded (R173, R176, R179): what it was for happens, or it goes back. */
async function fund({ stores, secrets, delivery, after: charge }: Change): Promise<void> {
  const { cause, pesewas, updatedAt: at } = charge
  const change = fundedBy(delivery, cause, pesewas, at)
  if (change) {
    const saved = await saveDelivery(stores, secrets, delivery, change)
    await showMoney(stores, secrets, saved, at)
    return
  }
  for (const transfer of surplus(delivery, secrets.id, pesewas)) await stores.ledger.post(transfer)
  await addRefund(stores, secrets, charge, pesewas, at)
}

/** The delivery with what a charge has paid for; undefined where that is not asked for any more. */
function fundedBy(
  delivery: StoredDelivery,
  cause: PaymentRow['cause'],
  pesewas: number,
  at: string,
): Delivery | undefined {
  if (cause === 'offer')
    // Where it was cancelled meanwhile, it settles at once: what arrived goes back.
    return isFunded(delivery)
      ? undefined
      : { ...delivery, payment: { status: 'held', at }, updatedAt: at }
  const { message: _, ...payment } = delivery.payment ?? { status: 'held' }
  if (cause === 'raise') {
    if (!isOnOffer(delivery)) return undefined
    const offer = toCedis(toPesewas(delivery.offer) + pesewas)
    return next(delivery, 'Pending', { at, offer }, { offer, payment })
  }
  if (delivery.status !== 'Approved' || delivery.tip) return undefined
  return { ...delivery, tip: toCedis(pesewas), payment, updatedAt: at }
}

/** A payout or refund (R178). */
async function applyTransfer({ stores, secrets, delivery, before, after }: Change): Promise<void> {
  const { kind, pesewas, updatedAt } = after
  if (kind === 'payout' && (before.status === 'paid') !== (after.status === 'paid')) {
    const movement = after.status === 'paid' ? 'payout' : 'unpaid'
    const about = { ...delivery, updatedAt }
    await stores.ledger.post(payout(about, secrets.id(), movement, pesewas))
  }
  if (hasFailed(after) && !hasFailed(before))
    await notifyOffice(stores, { kind: 'office-money', deliveryId: delivery.ID, at: updatedAt })
  await showMoney(stores, secrets, delivery, updatedAt)
}

/** Brings what a delivery says of its money up to date, so that phones hear of it. */
async function showMoney(
  stores: Stores,
  secrets: Secrets,
  delivery: StoredDelivery,
  at: string,
): Promise<void> {
  const rows = await stores.payments.ofDelivery(delivery.ID)
  const payout = payoutOf(rows) ?? delivery.payout
  const payment = paymentOf(delivery, rows, at)
  if (isEqual(payout, delivery.payout) && isEqual(payment, delivery.payment)) return
  await saveDelivery(stores, secrets, delivery, { ...delivery, payout, payment, updatedAt: at })
}

/** `refunded` once everything that goes back has arrived. */
function paymentOf(delivery: Delivery, rows: PaymentRow[], at: string): Delivery['payment'] {
  const { payment } = delivery
  const refunds = rows.filter(({ kind }) => kind === 'refund')
  const isOver = !isActiveDelivery(delivery) && !isHeld(delivery) && isFunded(delivery)
  const givesBack = isOver && settlementOf(delivery).some(({ kind }) => kind === 'refund')
  if (!givesBack || refunds.length === 0 || payment?.status === 'refunded') return payment
  if (refunds.every(({ status }) => status === 'paid')) return { status: 'refunded', at }
  const failed = refunds.find(({ status }) => status === 'failed')
  return failed && payment
    ? { ...payment, message: `The refund failed: ${failed.message}` }
    : payment
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const iso = (time: number) => new Date(time).toISOString()
