import { openDispute } from '../rules/deliveries/open-disputes.ts'
import { visibleTo } from '../rules/visibility.ts'
import { effect } from './effect.ts'

/** Opens the sender's dispute (R125). */
export const contestPickUp = effect<'contestPickUp'>({
  async save({ stores, ports: { secrets }, before, actor, asked: { key, input, at } }, change) {
    const report = {
      ID: key ?? secrets.id(),
      issue: input.reason,
      side: 'sender' as const,
      at,
      reporter: before.senderName,
    }
    const opened = await openDispute(stores, secrets, before, report, { change, by: actor })
    const Message = `Pick-up contested: ${before.itemDescription}`
    await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
    return { body: { delivery: visibleTo(actor, opened.delivery), dispute: opened.dispute } }
  },
})
