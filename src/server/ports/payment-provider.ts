import type { Network } from '#domain/users/payout-number.ts'

/** A mobile money account. `phone`: ten digits. */
type Account = { phone: string; network: Network }

/**
 * What the provider says of a charge, refund or payout. `sent`: under way; `otp`: it asks for the voucher of the payer's
 * network; `paid`: the money has arrived. `message`: in its words; `pesewas`: as it has them, where it says so.
 */
export type PaymentOutcome = {
  status: 'sent' | 'otp' | 'paid' | 'failed' | 'reversed'
  message?: string
  pesewas?: number
}

/** A line of the provider's own list. */
export type ProviderLine = {
  kind: 'charge' | 'refund' | 'payout'
  /** Ours; of a refund the row that its note names, if it names one. */
  reference: string
  pesewas: number
  status: PaymentOutcome['status']
}

/**
 * A payment provider (R173). `reference`: ours, which it takes once. Every method throws where the outcome is unknown:
 * no answer, or one that says nothing of the payment.
 */
export type PaymentProvider = {
  /** Asks the payer to approve on their phone. */
  charge(
    charge: { reference: string; pesewas: number; email: string } & Account,
  ): Promise<PaymentOutcome>
  submitOtp(reference: string, otp: string): Promise<PaymentOutcome>
  /** Of a charge. Undefined: it has none with this reference. */
  verify(reference: string): Promise<PaymentOutcome | undefined>
  /** A refund has no reference of ours: `id` is noted with it. `charge`: the reference of what is given back. */
  refund(refund: { id: string; charge: string; pesewas: number }): Promise<PaymentOutcome>
  /** Undefined: it has none of this note. Of several, the last that has not failed. */
  findRefund(refund: { id: string; charge: string }): Promise<PaymentOutcome | undefined>
  payout(
    payout: { reference: string; pesewas: number; name: string } & Account,
  ): Promise<PaymentOutcome>
  /** Undefined: it has none with this reference. */
  verifyPayout(reference: string): Promise<PaymentOutcome | undefined>
  /** The reference that an event is about, if any; undefined where the signature is not the provider's. */
  readWebhook(body: Uint8Array, signature: string | null): { reference?: string } | undefined
  /** Everything since this time, ISO 8601. */
  list(since: string): Promise<ProviderLine[]>
}
