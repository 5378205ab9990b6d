import { takenBack } from '#domain/deliveries/payment.ts'
import { Refusal } from '#domain/errors.ts'
import { shortPrice, toCedis } from '#domain/money.ts'
import type { Stores } from '../../ports/repo.ts'
import { movedBack } from '../../rules/deliveries/ledger.ts'
import { payoutOf, payoutOfPart, refundCharges } from '../../rules/deliveries/payment-rows.ts'
import { saveDelivery } from '../../rules/deliveries/save-delivery.ts'
import { visibleTo } from '../../rules/visibility.ts'
import { effect } from '../effect.ts'

/** What is refunded leaves the payout and the fee, and goes back charge by charge (R228). */
export const refundDelivery = effect<'refundDelivery'>({
  async save({ stores, ports: { secrets }, before, actor, asked: { at } }, after) {
    const movements = takenBack(before, after)
    const sumOf = (...from: string[]) =>
      movements.reduce((sum, each) => (from.includes(each.from) ? sum + each.pesewas : sum), 0)
    await reducePayout(stores, payoutOfPart(secrets, before.ID), sumOf('owed'), at)
    const payout = payoutOf(await stores.payments.ofDelivery(before.ID))
    const saved = await saveDelivery(stores, secrets, before, { ...after, payout }, actor)
    for (const transfer of movedBack(saved, movements, secrets.id))
      await stores.ledger.post(transfer)
    const pesewas = sumOf('owed', 'fees')
    await refundCharges(stores, secrets, saved, pesewas)
    const Message = `Refunded ${shortPrice(toCedis(pesewas))}: ${before.itemDescription}`
    await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
    return { body: { delivery: visibleTo(actor, saved) } }
  },
})

/** Of a payout that nobody has begun to send. Refusal: wrong-status. */
async function reducePayout({ payments }: Stores, id: string, by: number, at: string) {
  const row = await payments.lock(id)
  if (row?.status !== 'waiting' || row.tries > 0)
    throw new Refusal('wrong-status', 'The payout is being sent. Try again in ten minutes.')
  const pesewas = row.pesewas - by
  if (pesewas === 0) await payments.remove(id)
  else await payments.save({ ...row, pesewas, updatedAt: at })
}
