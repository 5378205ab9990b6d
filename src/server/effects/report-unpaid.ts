import { howPaid, totalOf } from '#domain/deliveries/payment.ts'
import { shortPrice } from '#domain/money.ts'
import { payout } from '../rules/deliveries/ledger.ts'
import { openDispute } from '../rules/deliveries/open-disputes.ts'
import { visibleTo } from '../rules/visibility.ts'
import { effect } from './effect.ts'

/** The payout is owed again, and the driver's dispute opens (R171, R172). */
export const reportUnpaid = effect<'reportUnpaid'>({
  async save({ stores, ports: { secrets }, before, actor, asked: { key, at } }, change) {
    const report = {
      ID: key ?? secrets.id(),
      issue: `I did not receive the ${shortPrice(totalOf(before))} that the sender says they paid${howPaid(before)}.`,
      side: 'driver' as const,
      at,
      reporter: before.driver?.name,
    }
    const opened = await openDispute(stores, secrets, before, report, { change, by: actor })
    for (const each of await stores.payments.ofDelivery(before.ID)) {
      const stored = each.kind === 'payout' ? await stores.payments.lock(each.id) : undefined
      if (stored?.status !== 'paid') continue
      await stores.payments.save({
        ...stored,
        status: 'waiting',
        reference: undefined,
        updatedAt: at,
      })
      await stores.ledger.post(payout(opened.delivery, secrets.id(), 'unpaid', stored.pesewas))
    }
    const Message = `Not received: ${before.itemDescription}`
    await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
    return { body: { delivery: visibleTo(actor, opened.delivery), dispute: opened.dispute } }
  },
})
