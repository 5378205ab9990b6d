import { type Actor, isDriverOf, isSenderOf } from '#domain/delivery.ts'
import type { DisputeType } from '#domain/dispute.ts'
import { Refusal } from '#domain/errors.ts'
import type { Gateways } from '../gateways.ts'
import { type Handlers, personIn, someoneIn } from '../handler.ts'
import type { StoredDelivery, Stores } from '../repo.ts'
import { isUuid } from '../request-keys.ts'
import { sameSecret } from '../secrets.ts'

type Disputing = Pick<Handlers, 'createDispute' | 'createGuestDispute'>
type Report = { deliveryId: string; issue: string; type: DisputeType; priority: string }

/** Either side of a delivery says that something is wrong with it (spec §2: delivery room). */
export function disputeHandlers({ secrets }: Gateways): Disputing {
  async function theirs(stores: Stores, actor: Actor, { deliveryId }: Report) {
    const id = deliveryId.toLowerCase()
    const delivery = isUuid(id) ? await stores.deliveries.get(id) : undefined
    const driving = delivery && 'user' in actor && isDriverOf(delivery, actor.user)
    if (!delivery || !(driving || isSenderOf(delivery, actor))) throw new Refusal('not-found')
    return delivery
  }

  async function report(
    stores: Stores,
    delivery: StoredDelivery,
    { issue, type, priority }: Report,
    ID: string,
    at: string,
  ) {
    const dispute = { ID, DeliveryID: delivery.ID, issue, type, priority, CreatedAt: at }
    await stores.disputes.add(dispute)
    const Message = `Issue reported: ${delivery.itemDescription}`
    const activity = { ID: secrets.id(), Type: 'other', Message, CreatedAt: at }
    await stores.activities.add(activity)
    await stores.announce({ about: 'disputes', id: ID, to: [], admins: true })
    return { body: { dispute } }
  }

  return {
    createDispute:
      ({ input, key, at }) =>
      async (stores, actor) => {
        const delivery = await theirs(stores, { user: personIn(actor) }, input)
        return report(stores, delivery, input, key ?? secrets.id(), at)
      },

    createGuestDispute:
      ({ input, key, at }) =>
      async (stores, actor) => {
        const delivery = await theirs(stores, someoneIn(actor), input)
        if (!sameSecret(input.guestPhone, delivery.senderPhone ?? ''))
          throw new Refusal('wrong-phone')
        return report(stores, delivery, input, key ?? secrets.id(), at)
      },
  }
}
