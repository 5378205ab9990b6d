import { isOnOffer } from '#domain/deliveries/delivery.ts'
import { isFunded } from '#domain/deliveries/payment.ts'
import { payoutAt } from '#domain/payouts/payout-numbers.ts'
import { minute } from '#domain/product.ts'
import { wokenByEvents } from '../../notifications/woken-by-events.ts'
import type { PaymentOutcome, PaymentProvider } from '../../ports/payment-provider.ts'
import type { Ports } from '../../ports/ports.ts'
import type { PaymentRow } from '../../ports/stores/payment-store.ts'
import { applyOutcome, type Known, nextTry } from './apply-outcome.ts'

type Needs = Pick<Ports, 'repo' | 'secrets' | 'clock' | 'log' | 'provider' | 'options'>
type Moved = { ports: Needs; provider: PaymentProvider; row: PaymentRow }

/** Payments that are taken at once. */
const batchSize = 20
/** Milliseconds for which nobody else takes a payment. */
const lease = 3 * minute
/** Milliseconds from taking a payment in which it may still be sent: what is sent later may meet another process. */
const sendWithin = minute

/**
 * Sends what is due to the payment provider, or asks it what became of that (R177). Several processes may do this at once:
 * each payment is taken by one. What was sent before, or may have been, is asked about first. Returns how many it took.
 */
export async function movePayments(ports: Needs): Promise<number> {
  const { provider, repo, clock, log } = ports
  if (!provider) return 0
  for (let moved = 0; ; ) {
    const now = clock()
    const taken = await repo.transaction(({ payments }) =>
      payments.takeDue(iso(now), batchSize, iso(now + lease)),
    )
    await Promise.all(
      taken.map(async (row) => {
        try {
          const known = await steps[row.kind]({ ports, provider, row })
          await applyOutcome(ports, row, known)
        } catch (error) {
          log.warn(
            { err: error, payment: row.id },
            'A payment has no answer and is asked about again',
          )
          await postpone(ports, row)
        }
      }),
    )
    moved += taken.length
    if (taken.length < batchSize) return moved
  }
}

/** Nobody knows what became of it. */
const postpone = ({ repo, clock }: Needs, row: PaymentRow) =>
  repo.transaction(async ({ payments }) => {
    const stored = await payments.lock(row.id)
    if (stored?.tries !== row.tries) return
    await payments.save({ ...stored, dueAt: nextTry(row.tries, clock()) })
  })

const steps: Record<PaymentRow['kind'], (about: Moved) => Promise<Known>> = {
  charge: moveCharge,
  refund: moveRefund,
  payout: movePayout,
}

/** Nothing new. What the provider does not know any more, whoever compares the books finds (R180). */
const unchanged = ({ status, message }: PaymentRow): Known => ({ status, message })

/** A request that is refused may repeat one that was taken: what the provider has counts. */
const confirmed = async (
  said: PaymentOutcome,
  ask: () => Promise<PaymentOutcome | undefined>,
): Promise<PaymentOutcome> => (said.status === 'failed' ? ((await ask()) ?? said) : said)

/** Whether it may have been sent before. */
const mayBeKnown = ({ status, tries }: PaymentRow) => status !== 'waiting' || tries > 1

async function moveCharge({ ports, provider, row }: Moved): Promise<Known> {
  const ask = () => provider.verify(row.id)
  if (row.otp) return confirmed(await provider.submitOtp(row.id, row.otp), ask)
  const found = mayBeKnown(row) ? await ask() : undefined
  // Under way, for the provider, is also what waits for a voucher.
  if (found?.status === 'sent' && row.status === 'otp') return unchanged(row)
  if (found) return found
  if (row.status !== 'waiting') return unchanged(row)
  const { phone, network, pesewas } = row
  const email = await emailOfPayer(ports, row)
  if (!email || !phone || !network)
    return { status: 'failed', message: 'It is not asked for any more.' }
  assertInTime(ports, row)
  return confirmed(
    await provider.charge({ reference: row.id, pesewas, email, phone, network }),
    ask,
  )
}

/** The provider sends its receipt there; undefined where the charge is not asked for any more. */
async function emailOfPayer(
  { repo, options }: Needs,
  row: PaymentRow,
): Promise<string | undefined> {
  const { delivery, rows } = await repo.read(async ({ deliveries, payments }) => ({
    delivery: await deliveries.get(row.deliveryId),
    rows: await payments.ofDelivery(row.deliveryId),
  }))
  if (!delivery) return undefined
  const last = rows.findLast(({ kind, cause }) => kind === 'charge' && cause === 'offer')
  const isAsked = {
    offer: delivery.status === 'Pending' && !isFunded(delivery) && last?.id === row.id,
    raise: isOnOffer(delivery),
    tip: delivery.status === 'Approved' && !delivery.tip,
  }[row.cause ?? 'offer']
  if (!isAsked) return undefined
  const { hostname } = new URL(options.publicOrigin)
  const host = hostname.includes('.') ? hostname : `${hostname}.example`
  return delivery.sender?.email ?? `${row.phone}@${host}`
}

async function moveRefund({ ports, provider, row }: Moved): Promise<Known> {
  const { id, pesewas, chargeId: charge = '' } = row
  // Sent anew: whoever takes it next has the lease for it.
  if (row.status === 'failed') return { status: 'waiting', dueAt: iso(ports.clock()) }
  // A refund has no reference of ours, so it is looked up even before it is sent first.
  const found = await provider.findRefund({ id, charge })
  if (found && !(row.status === 'waiting' && found.status === 'failed')) return found
  if (row.status !== 'waiting') return unchanged(row)
  if (await isDisputed(ports, row)) return holdBack(ports, row)
  assertInTime(ports, row)
  return provider.refund({ id, charge, pesewas })
}

async function movePayout({ ports, provider, row }: Moved): Promise<Known> {
  const reference = row.reference ?? row.id
  const ask = () => provider.verifyPayout(reference)
  const found = mayBeKnown(row) || row.reference !== undefined ? await ask() : undefined
  const isOver = found?.status === 'failed' || found?.status === 'reversed'
  // It failed before, and somebody asked for a retry: that has a reference of its own, stored before it is sent.
  if (row.status === 'waiting' && row.reference !== undefined && isOver)
    return { status: 'waiting', reference: nextReference(reference), dueAt: iso(ports.clock()) }
  if (found) return { ...found, reference }
  if (row.status !== 'waiting') return unchanged(row)
  if (await isDisputed(ports, row)) return holdBack(ports, row)
  const driver = await ports.repo.read(({ users }) => users.get(row.driverId ?? ''))
  const number = driver && payoutAt(driver, ports.clock())
  if (!number) return { ...holdBack(ports, row), message: 'The driver has no payout number yet.' }
  const { phone, network, name } = number
  assertInTime(ports, row)
  const payout = { reference, pesewas: row.pesewas, phone, network, name }
  const sent = await confirmed(await provider.payout(payout), ask)
  return { ...sent, reference, phone, network }
}

/** `<id>-2` after `<id>`. */
function nextReference(reference: string): string {
  const [, attempt = '1'] = /^.{36}-(\d+)$/.exec(reference) ?? []
  return `${reference.slice(0, 36)}-${Number(attempt) + 1}`
}

const isDisputed = async ({ repo }: Needs, { deliveryId }: PaymentRow): Promise<boolean> =>
  (await repo.read(({ deliveries }) => deliveries.get(deliveryId)))?.disputed === true

/** It is looked at again soon enough, and nothing has moved. */
const holdBack = ({ clock }: Needs, { status }: PaymentRow): Known => ({
  status,
  tries: 0,
  message: 'An issue about the delivery is open.',
  dueAt: iso(clock() + 10 * minute),
})

function assertInTime({ clock }: Needs, { dueAt = '' }: PaymentRow) {
  if (clock() > Date.parse(dueAt) - lease + sendWithin)
    throw new Error('It was taken too long ago to be sent')
}

/** Milliseconds between two checks for due payments, and while events arrive. */
const pace = { interval: 10_000, pause: 1_000 }

/** Moves payments soon after an event, and checks for due ones every 10 seconds. Returns the function that ends it. */
export const startPayments = (ports: Needs): (() => Promise<void>) =>
  wokenByEvents(
    ports,
    pace,
    () => movePayments(ports),
    (error) =>
      ports.log.warn({ err: error }, 'Payments were not moved; the next try is in 10 seconds'),
  )

const iso = (time: number) => new Date(time).toISOString()
