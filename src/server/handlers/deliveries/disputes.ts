import { type Actor, type Delivery, isPartyTo } from '#domain/deliveries/delivery.ts'
import {
  type DisputeType,
  issueOf,
  publicDispute,
  type StoredDispute,
} from '#domain/deliveries/dispute.ts'
import { endHold, isClaimed } from '#domain/deliveries/endings/cancel-hold.ts'
import { decide, moneyDecision, type Verdict } from '#domain/deliveries/endings/decide.ts'
import { sideOf } from '#domain/deliveries/rate.ts'
import { Refusal } from '#domain/errors.ts'
import { isUuid } from '../../http/idempotency/idempotency.ts'
import { countAttempt } from '../../limits/rate-limits.ts'
import { notifyOfAnswer } from '../../notifications/notify.ts'
import { type Handlers, readPage, requireActor, requireUser } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import { equalSecrets } from '../../ports/secrets.ts'
import type { StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { openDispute } from '../../rules/deliveries/open-disputes.ts'
import { saveDelivery } from '../../rules/deliveries/save-delivery.ts'
import { visibleTo } from '../../rules/visibility.ts'

type DisputeHandlers = Pick<
  Handlers,
  'createDispute' | 'createGuestDispute' | 'adminDisputes' | 'adminDispute' | 'resolveDispute'
>
type Report = { deliveryId: string; issue: string; type: DisputeType }

/** Disputes: either party reports an issue, an admin resolves it (R32, R65). */
export function disputeHandlers({ secrets, options }: Ports): DisputeHandlers {
  async function deliveryOfParty(stores: Stores, actor: Actor, { deliveryId }: Report) {
    const id = deliveryId.toLowerCase()
    const delivery = isUuid(id) ? await stores.deliveries.lock(id) : undefined
    const side = delivery && sideOf(delivery, actor)
    if (!delivery || !side) throw new Refusal('not-found')
    return { delivery, side }
  }

  async function report(
    stores: Stores,
    { delivery, side }: Awaited<ReturnType<typeof deliveryOfParty>>,
    { issue, type }: Report,
    ID: string,
    at: string,
  ) {
    if (type !== issueOf(side)) throw new Refusal('type')
    const limit = options.limits.disputes
    await countAttempt(stores, secrets, limit, `${delivery.ID} ${side}`, at)
    const reporter = side === 'driver' ? delivery.driver?.name : delivery.senderName
    const { dispute } = await openDispute(stores, secrets, delivery, {
      ID,
      issue,
      side,
      at,
      reporter,
    })
    const Message = `Issue reported: ${delivery.itemDescription}`
    const activity = { ID: secrets.id(), Type: 'other', Message, CreatedAt: at }
    await stores.activities.add(activity)
    return { body: { dispute } }
  }

  /** What an admin's decision changes in the delivery: its money (R107), and whether it can be approved (R108). */
  async function settle(
    stores: Stores,
    delivery: StoredDelivery,
    verdict: Verdict,
    { at, dispute }: { at: string; dispute: StoredDispute },
  ) {
    const reports = await stores.disputes.ofDelivery(delivery.ID)
    const disputed = reports.some(({ status }) => status === 'open')
    const answered = decide(delivery, verdict, at)
    // The driver who claimed the held money does not get it, so the hold ends here (R124).
    const decided = isClaimed(answered) && !disputed ? endHold(answered, at) : answered
    // Both sides were told when it would be approved; the time has changed, so they are told again (R106).
    const dueAt = waitsForApproval(decided)
      ? new Date(Date.parse(at) + options.endings.autoApprove).toISOString()
      : decided.dueAt
    const after = { ...decided, disputed: disputed || undefined, dueAt, updatedAt: at }
    const saved = await saveDelivery(stores, secrets, delivery, after)
    // A decision about the money is told to both sides as a change of the delivery.
    if (moneyDecision(saved) && !moneyDecision(delivery)) return
    await notifyOfAnswer(stores, secrets, saved, dispute)
  }

  return {
    createDispute:
      ({ input, key, at }) =>
      async (stores, actor) => {
        const reported = await deliveryOfParty(stores, { user: requireUser(actor) }, input)
        return report(stores, reported, input, key ?? secrets.id(), at)
      },

    createGuestDispute:
      ({ input, key, at }) =>
      async (stores, actor) => {
        const reported = await deliveryOfParty(stores, requireActor(actor), input)
        if (!equalSecrets(input.guestPhone, reported.delivery.senderPhone ?? ''))
          throw new Refusal('wrong-phone')
        return report(stores, reported, input, key ?? secrets.id(), at)
      },

    adminDisputes:
      ({ query }) =>
      async (stores) => {
        const { status = 'open' } = query
        const wanted = status === 'all' ? undefined : status
        const { rows, ...rest } = await stores.disputes.list(readPage(query), wanted)
        return { body: { disputes: rows.map(publicDispute), ...rest } }
      },

    adminDispute:
      ({ id }) =>
      async (stores, actor) => {
        const dispute = await stores.disputes.get(id)
        if (!dispute) throw new Refusal('not-found')
        const delivery = visibleTo(actor, await stores.deliveries.get(dispute.DeliveryID))
        return { body: { dispute: publicDispute(dispute), delivery } }
      },

    resolveDispute:
      ({ id, input: { resolution, decision = 'none', driverShare }, at }) =>
      async (stores, actor) => {
        const by = requireUser(actor).ID
        const open = await stores.disputes.get(id)
        if (!open) throw new Refusal('not-found')
        // Before the dispute: every change of a delivery locks its row first.
        const delivery = await stores.deliveries.lock(open.DeliveryID)
        // An admin who is a party to it leaves it to another (R132).
        if (delivery && isPartyTo(delivery, { user: requireUser(actor) }))
          throw new Refusal('not-allowed', 'Another admin decides about your own delivery.')
        const dispute = await stores.disputes.resolve(id, { resolution, at, by })
        if (!dispute) throw new Refusal('wrong-status', 'This dispute is already resolved.')
        const verdict = { kind: decision, reason: resolution, driverShare }
        if (delivery) await settle(stores, delivery, verdict, { at, dispute })
        const Message = `Dispute resolved: ${delivery?.itemDescription ?? dispute.DeliveryID}`
        await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
        await stores.publish({ about: 'disputes', id, to: [], admins: true })
        return {
          body: { dispute: publicDispute(dispute) },
          subject: `${dispute.DeliveryID}: ${decision}`,
        }
      },
  }
}

const waitsForApproval = ({ status, returning }: Delivery) =>
  status === 'Delivered' || (status === 'Picked Up' && returning !== undefined)
