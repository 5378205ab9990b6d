import type { Actor, Delivery } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { shortPrice, toCedis, toPesewas } from '#domain/money.ts'
import { countAttempt } from '../../limits/rate-limits.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import type { PaymentRow } from '../../ports/stores/payment-store.ts'
import { addCharge, type Payer } from '../deliveries/payment-rows.ts'
import { saveDelivery } from '../deliveries/save-delivery.ts'
import { assertGhanaPhone } from '../new-contacts.ts'

/** Prompts that one number gets: anybody can name another's (R176). */
const prompts = { name: 'prompts', tries: 30, within: 24 * 60 * 60_000 }
/** Charges of one delivery. */
const mostCharges = 20
/** Milliseconds before the same number gets another prompt for the same. */
const patience = 60_000

/** Charges the offer of a new delivery (R176). Refusals: invalid; too many prompts. */
export async function chargeOffer(
  stores: Stores,
  secrets: Secrets,
  { ID, offer, createdAt }: Delivery,
  payer: Payer,
): Promise<void> {
  await assertMayPrompt(stores, secrets, payer, createdAt)
  const charge = { ...payer, cause: 'offer' as const, pesewas: toPesewas(offer) }
  await addCharge(stores, secrets, ID, charge, createdAt)
}

/**
 * Charges the offer anew, because nobody has approved the prompt yet (R176). Whichever charge succeeds first is kept,
 * another goes back. `payer`: as before, unless given. Refusals: wrong-status, invalid; too many prompts.
 */
export async function chargeAgain(
  stores: Stores,
  secrets: Secrets,
  before: StoredDelivery,
  payer: Payer | undefined,
  { at, by }: { at: string; by: Actor },
): Promise<StoredDelivery> {
  if (before.status !== 'Pending' || !isAwaited(before)) throw new Refusal('wrong-status')
  const rows = await chargesOf(stores, before.ID)
  const last = rows.findLast(({ cause }) => cause === 'offer')
  const next = payer ?? payerOf(last)
  const isSame = next.phone === last?.phone && next.network === last.network
  if (isSame && isOpen(last) && Date.parse(at) - Date.parse(last.createdAt) < patience)
    throw new Refusal('wrong-status', `A prompt is on its way to ${next.phone}. Wait a minute.`)
  await charge(
    stores,
    secrets,
    before,
    rows,
    { ...next, cause: 'offer' },
    toPesewas(before.offer),
    at,
  )
  const payment = { status: 'waiting', at }
  return saveDelivery(stores, secrets, before, { ...before, payment, updatedAt: at }, by)
}

/**
 * Charges what a raised offer or a tip adds, and changes neither until that is held (R179). Returns what the delivery says
 * of it. Refusals: wrong-status; too many prompts.
 */
export async function chargeMore(
  stores: Stores,
  secrets: Secrets,
  before: StoredDelivery,
  cause: 'raise' | 'tip',
  pesewas: number,
  at: string,
): Promise<string> {
  const rows = await chargesOf(stores, before.ID)
  if (rows.some((row) => row.cause === cause && isOpen(row)))
    throw new Refusal(
      'wrong-status',
      'The prompt for the last change still waits for your approval.',
    )
  const payer = payerOf(rows.findLast(({ status }) => status === 'paid'))
  await charge(stores, secrets, before, rows, { ...payer, cause }, pesewas, at)
  return `Approve the prompt for ${shortPrice(toCedis(pesewas))} on ${payer.phone}.`
}

async function charge(
  stores: Stores,
  secrets: Secrets,
  { ID }: StoredDelivery,
  rows: PaymentRow[],
  about: Payer & { cause: 'offer' | 'raise' | 'tip' },
  pesewas: number,
  at: string,
) {
  if (rows.length >= mostCharges)
    throw new Refusal('wrong-status', `This delivery was charged ${mostCharges} times.`)
  await assertMayPrompt(stores, secrets, about, at)
  await addCharge(stores, secrets, ID, { ...about, pesewas }, at, rows.length)
}

async function assertMayPrompt(stores: Stores, secrets: Secrets, { phone }: Payer, at: string) {
  assertGhanaPhone(phone)
  await countAttempt(stores, secrets, prompts, phone, at)
}

/**
 * Hands in the voucher that the payer's network sent them (R176), of the last charge that asks for one.
 * Refusal: wrong-status.
 */
export async function handInOtp(
  stores: Stores,
  deliveryId: string,
  otp: string,
  at: string,
): Promise<void> {
  const asked = (await chargesOf(stores, deliveryId)).findLast(({ status }) => status === 'otp')
  const row = asked && (await stores.payments.lock(asked.id))
  if (row?.status !== 'otp') throw new Refusal('wrong-status', 'No voucher is asked for.')
  await stores.payments.save({ ...row, otp, dueAt: at, updatedAt: at })
}

/** Whether the money for its offer has not arrived. */
const isAwaited = ({ payment }: Delivery) =>
  payment?.status === 'waiting' || payment?.status === 'failed'

const chargesOf = async ({ payments }: Stores, id: string): Promise<PaymentRow[]> =>
  (await payments.ofDelivery(id)).filter(({ kind }) => kind === 'charge')

/** Whether a charge may still succeed while we ask. */
const isOpen = ({ status }: PaymentRow): boolean =>
  status === 'waiting' || status === 'sent' || status === 'otp'

function payerOf(row: PaymentRow | undefined): Payer {
  if (!row?.phone || !row.network) throw new Refusal('wrong-status')
  return { phone: row.phone, network: row.network }
}
