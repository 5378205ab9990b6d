import { isPartyTo } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { toCedis } from '#domain/money.ts'
import type { Payout } from '#domain/payment-fields.ts'
import { canMarkPaid, canRetry, checkAmount, PayoutStatus } from '#domain/payout.ts'
import { type Handlers, readPage, requireUser } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { PayoutRow } from '../../ports/stores/payment-store.ts'
import { daysFrom } from '../../rules/days.ts'
import { payout as paidOut } from '../../rules/deliveries/ledger.ts'
import { payoutOf } from '../../rules/deliveries/payment-rows.ts'
import { saveDelivery } from '../../rules/deliveries/save-delivery.ts'
import { readDifferences } from '../../rules/money/differences.ts'
import { byDay, inCedis } from '../../rules/money/figures.ts'

type MoneyHandlers = Pick<Handlers, 'adminMoney' | 'adminPayouts' | 'settlePayout'>

/** Where all money is (R184), and what admins do with payouts (R183). */
export function moneyHandlers({ secrets }: Ports): MoneyHandlers {
  /** The payout and its delivery, both locked. */
  async function lockPayout({ payments, deliveries }: Stores, id: string) {
    const found = await payments.payout(id)
    // Before the payout: every change of a delivery locks its row first.
    const delivery = found && (await deliveries.lock(found.deliveryId))
    const stored = await payments.lock(id)
    if (!found || !delivery || !stored) throw new Refusal('not-found')
    return { delivery, row: { ...found, ...stored } }
  }

  return {
    adminMoney: ({ query: { from, to } }) => {
      if ((from === undefined) !== (to === undefined))
        throw new Refusal('invalid', 'Ask for days with both from and to.')
      const days = from && to ? daysFrom(from, to) : undefined
      return async (stores) => {
        const { cameIn, ...money } = inCedis(await stores.ledger.totals())
        const differences = await readDifferences(stores)
        const moved = days && byDay(days, await stores.ledger.totalsByDay(days))
        return { body: { money: { ...money, differences }, cameIn, days: moved } }
      }
    },

    adminPayouts: ({ query }) => {
      const statuses = readStatuses(query.status)
      return async (stores) => {
        const { rows, ...rest } = await stores.payments.payouts(readPage(query), statuses)
        return { body: { payouts: rows.map(toPayout), ...rest } }
      }
    },

    settlePayout:
      ({ id, input: { reference, amount, retry }, at }) =>
      async (stores, actor) => {
        const { delivery, row } = await lockPayout(stores, id)
        // As with disputes (R132).
        if (isPartyTo(delivery, { user: requireUser(actor) }))
          throw new Refusal('not-allowed', 'Another admin decides about your own delivery.')
        const before = toPayout(row)
        refuse(before, retry)
        if (amount !== undefined) checkAmount(amount, before.amount)
        const after: PayoutRow = {
          ...row,
          ...(retry
            ? { status: 'waiting', dueAt: at }
            : { status: 'paid', reference, dueAt: undefined }),
          message: undefined,
          updatedAt: at,
        }
        await stores.payments.save(after)
        const payout = payoutOf(await stores.payments.ofDelivery(delivery.ID))
        const changed = { ...delivery, payout, updatedAt: at }
        const saved = await saveDelivery(stores, secrets, delivery, changed)
        if (!retry) await stores.ledger.post(paidOut(saved, secrets.id(), 'payout', row.pesewas))
        return {
          body: { payout: toPayout(after) },
          subject: `${row.deliveryId}: ${retry ? 'sent again' : `paid, ${reference}`}`,
        }
      },
  }
}

/** Refusal: wrong-status. */
function refuse(payout: Payout, retry?: true): void {
  if (retry ? canRetry(payout) : canMarkPaid(payout)) return
  throw new Refusal('wrong-status', refusalTexts[payout.status])
}

const refusalTexts: Record<string, string> = {
  waiting: 'This payout has not failed: it waits to be paid.',
  sent: 'This payout is under way.',
  paid: 'This payout is already paid.',
  failed: 'This payout has failed.',
  reversed: 'This payout came back.',
}

/** Statuses with commas between them; `undefined` for all. Refusal: invalid. */
function readStatuses(text: string | undefined): PayoutStatus[] | undefined {
  if (!text) return undefined
  return text.split(',').map((name) => {
    const status = PayoutStatus.safeParse(name.trim())
    if (!status.success) throw new Refusal('invalid', 'There is no such status of a payout.')
    return status.data
  })
}

const toPayout = ({ id, deliveryId, driver, pesewas, dueAt, ...row }: PayoutRow): Payout => ({
  ID: id,
  DeliveryID: deliveryId,
  driver,
  amount: toCedis(pesewas),
  status: row.status,
  reference: row.reference,
  message: row.message,
  sendsAt: dueAt,
  createdAt: row.createdAt,
})
