import type { Network } from '#domain/users/payout-number.ts'
import type { Page, Paged } from './paging.ts'

/**
 * One movement of money between a person and us, in whole pesewas (R172). It is written in the transaction of its
 * cause; whoever carries it out, a provider or people, does so afterwards.
 */
export type PaymentRow = {
  /** Also our reference at the provider, which takes each one once. */
  id: string
  kind: 'charge' | 'refund' | 'payout'
  deliveryId: string
  /** Whom a payout is for. */
  driverId?: string
  /** The charge that a refund gives back. */
  chargeId?: string
  /** What a charge is for. */
  cause?: 'offer' | 'raise' | 'tip'
  pesewas: number
  /** The mobile money account that pays or is paid; of a payout, once it is sent. Ten digits. */
  phone?: string
  network?: Network
  /** `otp`: the provider asks for a voucher; `paid`: a charge is held, a refund or payout has arrived. */
  status: 'waiting' | 'sent' | 'otp' | 'paid' | 'failed' | 'reversed'
  /** What the provider calls it, or what an admin entered. */
  reference?: string
  message?: string
  /** The voucher that the payer gave, until it is handed in. */
  otp?: string
  /** When the server acts on it next; missing where it does not. */
  dueAt?: string
  /** How often it was sent or asked about since the server last knew that nothing of it was under way. */
  tries: number
  createdAt: string
  updatedAt: string
}

/** A payout, with whom it is for. */
export type PayoutRow = PaymentRow & { driver: { id: string; name: string } }

export const hasFailed = ({ status }: PaymentRow): boolean =>
  status === 'failed' || status === 'reversed'

type PaymentStatus = PaymentRow['status']

export type Payments = {
  add(payment: PaymentRow): Promise<void>
  /** As it is; others that lock it wait until this transaction ends. */
  lock(id: string): Promise<PaymentRow | undefined>
  /** `payment` is locked. Writes amount, status, reference, message, voucher, due time, tries, account and `updatedAt`. */
  save(payment: PaymentRow): Promise<void>
  /** One that was never sent. It is locked. */
  remove(id: string): Promise<void>
  /** Those that are due, which become due again at `until`: no other process gets them before. One try more each. */
  takeDue(at: string, limit: number, until: string): Promise<PaymentRow[]>
  /** Those that have changed since then. */
  changedSince(at: string): Promise<PaymentRow[]>
  /** In the order in which they were made. */
  ofDelivery(deliveryId: string): Promise<PaymentRow[]>
  /** The oldest first unless sorted otherwise by `createdAt`. */
  list(
    page: Page,
    only: { kind: PaymentRow['kind']; statuses?: PaymentStatus[]; driverId?: string },
  ): Promise<Paged<PaymentRow>>
  /** As it is, not locked. */
  payout(id: string): Promise<PayoutRow | undefined>
  /** As `list`. `search`: a driver's name or e-mail, a reference of the payment, or one of its delivery (R98). */
  payouts(page: Page, statuses?: PaymentStatus[]): Promise<Paged<PayoutRow>>
}
