import { type Actor, type Delivery, isPartyTo } from '#domain/deliveries/delivery.ts'
import type { Dispute, DisputeType } from '#domain/deliveries/dispute.ts'
import { Refusal } from '#domain/errors.ts'
import { type Handlers, readPage, requireActor, requireUser } from '../http/handler.ts'
import { isUuid } from '../http/idempotency.ts'
import { countAttempt } from '../limits/rate-limits.ts'
import type { Ports } from '../ports/ports.ts'
import type { StoredDelivery, Stores } from '../ports/repo.ts'
import { equalSecrets } from '../ports/secrets.ts'
import type { ChangeEvent } from '../rules/change-events.ts'
import { visibleTo } from '../rules/visibility.ts'

type DisputeHandlers = Pick<
  Handlers,
  'createDispute' | 'createGuestDispute' | 'adminDisputes' | 'adminDispute' | 'resolveDispute'
>
type Report = { deliveryId: string; issue: string; type: DisputeType; priority: string }

/** Disputes: either party reports an issue, an admin resolves it (R32, R65). */
export function disputeHandlers({ secrets, options }: Ports): DisputeHandlers {
  async function deliveryOfParty(stores: Stores, actor: Actor, { deliveryId }: Report) {
    const id = deliveryId.toLowerCase()
    const delivery = isUuid(id) ? await stores.deliveries.get(id) : undefined
    if (!delivery || !isPartyTo(delivery, actor)) throw new Refusal('not-found')
    return delivery
  }

  async function report(
    stores: Stores,
    delivery: StoredDelivery,
    { issue, type, priority }: Report,
    ID: string,
    at: string,
  ) {
    await countAttempt(stores, secrets, options.limits.disputes, delivery.ID, at)
    const added = { ID, DeliveryID: delivery.ID, issue, type, priority, CreatedAt: at }
    await stores.disputes.add(added)
    const dispute: Dispute = { ...added, status: 'open' }
    const Message = `Issue reported: ${delivery.itemDescription}`
    const activity = { ID: secrets.id(), Type: 'other', Message, CreatedAt: at }
    await stores.activities.add(activity)
    await stores.publish({ about: 'disputes', id: ID, to: [], admins: true })
    await stores.publish(reportChanged(delivery))
    return { body: { dispute } }
  }

  return {
    createDispute:
      ({ input, key, at }) =>
      async (stores, actor) => {
        const delivery = await deliveryOfParty(stores, { user: requireUser(actor) }, input)
        return report(stores, delivery, input, key ?? secrets.id(), at)
      },

    createGuestDispute:
      ({ input, key, at }) =>
      async (stores, actor) => {
        const delivery = await deliveryOfParty(stores, requireActor(actor), input)
        if (!equalSecrets(input.guestPhone, delivery.senderPhone ?? ''))
          throw new Refusal('wrong-phone')
        return report(stores, delivery, input, key ?? secrets.id(), at)
      },

    adminDisputes:
      ({ query }) =>
      async (stores) => {
        const { status = 'open' } = query
        const wanted = status === 'all' ? undefined : status
        const { rows, ...rest } = await stores.disputes.list(readPage(query), wanted)
        return { body: { disputes: rows, ...rest } }
      },

    adminDispute:
      ({ id }) =>
      async (stores, actor) => {
        const dispute = await stores.disputes.get(id)
        if (!dispute) throw new Refusal('not-found')
        const delivery = visibleTo(actor, await stores.deliveries.get(dispute.DeliveryID))
        return { body: { dispute, delivery } }
      },

    resolveDispute:
      ({ id, input: { resolution }, at }) =>
      async (stores, actor) => {
        const by = requireUser(actor).ID
        const dispute = await stores.disputes.resolve(id, { resolution, at, by })
        if (!dispute)
          throw (await stores.disputes.get(id))
            ? new Refusal('wrong-status', 'This dispute is already resolved.')
            : new Refusal('not-found')
        const delivery = await stores.deliveries.get(dispute.DeliveryID)
        const Message = `Dispute resolved: ${delivery?.itemDescription ?? dispute.DeliveryID}`
        await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
        await stores.publish({ about: 'disputes', id, to: [], admins: true })
        if (delivery) await stores.publish(reportChanged(delivery))
        return { body: { dispute } }
      },
  }
}

/** Its parties see what became of a report with the delivery (R59). */
const reportChanged = ({ ID, sender, driver }: Delivery): ChangeEvent => ({
  about: 'delivery',
  id: ID,
  to: [sender?.id, driver?.id].filter((id) => id !== undefined),
})
