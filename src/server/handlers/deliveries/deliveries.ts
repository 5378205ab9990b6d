import {
  type ActionTime,
  type Actor,
  type Delivery,
  isDriverOf,
  isOnOffer,
  isPartyTo,
  isSenderOf,
  type Status,
} from '#domain/deliveries/delivery.ts'
import { visibleDisputes } from '#domain/deliveries/dispute.ts'
import { isClaimed, lastOfDriver } from '#domain/deliveries/endings/cancel-hold.ts'
import type { EndingTerms } from '#domain/deliveries/endings/incidents.ts'
import { type ItemDetails, itemDetailsOf } from '#domain/deliveries/item.ts'
import { takenRefusal } from '#domain/deliveries/office/office.ts'
import { placeOf } from '#domain/deliveries/places/place.ts'
import { attachProof, pickUp } from '#domain/deliveries/transitions.ts'
import { Refusal } from '#domain/errors.ts'
import { networkOf } from '#domain/mobile-money/networks.ts'
import { toPesewas } from '#domain/money.ts'
import { contactOf, isOffice, type User } from '#domain/users/user.ts'
import { type InputOf, operations } from '#operations/index.ts'
import type { Details } from '#operations/operation.ts'
import { addressLimits } from '../../limits/address-limits.ts'
import { countOrRefuse } from '../../limits/rate-limits.ts'
import { assertFewOpenRequests } from '../../notifications/guest-phones.ts'
import { notifyOfJob } from '../../notifications/notify.ts'
import { deliveryChanged } from '../../ports/change-events.ts'
import { type Handlers, requireActor, requireUser } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import { equalSecrets } from '../../ports/secrets.ts'
import type { NewDelivery, StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { saveByDriver } from '../../rules/deliveries/late-reports.ts'
import { hold } from '../../rules/deliveries/ledger.ts'
import { assertOffer } from '../../rules/deliveries/offers.ts'
import type { Payer } from '../../rules/deliveries/payment-rows.ts'
import { assertGhanaPhone, assertName } from '../../rules/new-contacts.ts'
import { assertNotPaused } from '../../rules/office/office-settings.ts'
import { chargeMore, chargeOffer } from '../../rules/payments/charges.ts'
import { isHostedPhoto, markPhotoUsed } from '../../rules/photos.ts'
import { deliveryLists, visibleTo } from '../../rules/visibility.ts'

type DeliveryHandlers = Pick<
  Handlers,
  | 'senderDeliveries'
  | 'senderActiveDeliveries'
  | 'createDelivery'
  | 'createGuestDelivery'
  | 'getDelivery'
  | 'changeStatus'
  | 'changeGuestStatus'
>

type Request = Pick<
  NewDelivery,
  | 'itemDescription'
  | 'pickupZone'
  | 'dropoffZone'
  | 'recipientName'
  | 'recipientPhone'
  | 'offer'
  | 'itemPhoto'
  | 'handoverHash'
  | 'trackHash'
  | 'pickupPlace'
  | 'dropoffPlace'
  | keyof ItemDetails
> & { payer?: Payer }
type Sender = Pick<Delivery, 'senderName' | 'senderPhone' | 'sender' | 'isGuestDelivery'>

/** Photos of the hand-over of one delivery: each is a change of its row and a stored response (R140). */
const proofs = { name: 'proof', tries: 10, within: 24 * 60 * 60_000 }

const unfinished: Status[] = ['Pending', 'Accepted', 'Picked Up', 'Delivered']

/** Creating a delivery (R20), and its steps by the sender, guest, driver or an admin (R23 to R28). */
export function deliveryHandlers(ports: Ports): DeliveryHandlers {
  const { secrets, options } = ports
  const readList = deliveryLists(ports)
  const fromAddress = addressLimits(ports)

  async function create(
    stores: Stores,
    request: Request,
    sender: Sender,
    { at, occurredAt }: ActionTime,
    key: string | undefined,
  ) {
    const { itemDescription, offer, itemPhoto } = request
    assertGhanaPhone(request.recipientPhone ?? '')
    assertName(request.recipientName ?? '')
    if (!isHostedPhoto(itemPhoto, options.imageHost)) throw new Refusal('photo-not-hosted')
    assertOffer(offer, options)
    // A phone that has been offline may name a zone as it was called then (R206).
    const zones = [request.pickupZone, request.dropoffZone].map(stores.zones.nameOf)
    const [pickupZone, dropoffZone] = await Promise.all(zones)
    if (!pickupZone || !dropoffZone) throw new Refusal('unknown-zone')
    if (pickupZone === dropoffZone) throw new Refusal('same-zones')
    const isCharged = options.payments.mode === 'paystack'
    const delivery: NewDelivery = {
      ID: key ?? secrets.id(),
      status: 'Pending',
      deliveryCode: secrets.digits(5),
      itemDescription,
      ...itemDetailsOf(request),
      pickupZone,
      dropoffZone,
      offer,
      itemPhoto,
      recipientName: request.recipientName,
      recipientPhone: request.recipientPhone,
      handoverHash: request.handoverHash,
      trackHash: request.trackHash,
      pickupPlace: placeOf(request.pickupPlace),
      dropoffPlace: placeOf(request.dropoffPlace),
      ...sender,
      payments: options.payments.mode,
      payment: isCharged ? { status: 'waiting', at } : undefined,
      feePercent: options.payments.feePercent || undefined,
      createdAt: at,
      updatedAt: at,
      history: [{ status: 'Pending', at, occurredAt }],
    }
    const added = await stores.deliveries.add(delivery)
    await markPhotoUsed(stores, ports, itemPhoto)
    const phone = sender.senderPhone ?? ''
    const payer = request.payer ?? { phone, network: networkOf(phone) ?? 'mtn' }
    if (isCharged) await chargeOffer(stores, secrets, added, payer)
    else await stores.ledger.post(hold(added, secrets.id()))
    const Message = `${itemDescription}: ${pickupZone} to ${dropoffZone}`
    const activity = { ID: secrets.id(), Type: 'delivery_created', Message, CreatedAt: at }
    await stores.activities.add(activity)
    await stores.publish(deliveryChanged(added))
    if (isOnOffer(added)) await notifyOfJob(stores, secrets, added)
    return added
  }

  /** The approval stands without the tip until that is held, where a provider charges it (R179). */
  async function chargedTip(stores: Stores, before: StoredDelivery, after: Delivery) {
    if (before.payments !== 'paystack' || !after.tip) return after
    const { tip, updatedAt, payment, ...rest } = after
    const message = await chargeMore(stores, secrets, before, 'tip', toPesewas(tip), updatedAt)
    return { ...rest, updatedAt, payment: { status: 'held', ...payment, message } }
  }

  return {
    senderDeliveries:
      ({ query }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        return readList(stores.deliveries.list, user, { of: { sender: user.ID } }, query)
      },

    senderActiveDeliveries:
      ({ query }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        const list = { of: { sender: user.ID }, statuses: unfinished }
        return withoutContested(await readList(stores.deliveries.list, user, list, query))
      },

    createDelivery:
      ({ input, key, when }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        if (!user.Verified) throw new Refusal('unverified')
        await assertNotPaused(stores, options, when.at)
        await countOrRefuse(stores, secrets, options.limits.creates, user.ID, when.at)
        const sender = {
          sender: contactOf(user),
          isGuestDelivery: false,
          senderName: user.name,
          senderPhone: user.phone_number,
        }
        const added = await create(stores, input, sender, when, key)
        return { body: { delivery: visibleTo(actor, added) } }
      },

    createGuestDelivery:
      ({ input, key, when, address, solved }) =>
      async (stores) => {
        await assertNotPaused(stores, options, when.at)
        await fromAddress.count(stores, options.limits.guestRequests, { address, solved }, when.at)
        const { senderName, senderPhone } = input
        assertGhanaPhone(senderPhone)
        assertName(senderName)
        await assertFewOpenRequests(stores, secrets, senderPhone)
        const sender = { senderName, senderPhone, isGuestDelivery: true }
        const added = await create(stores, input, sender, when, key)
        const guestToken = secrets.guestToken()
        await stores.guestTokens.add(secrets.hash(guestToken), added.ID)
        return { body: { delivery: visibleTo({ guestOf: added.ID }, added), guestToken } }
      },

    getDelivery:
      ({ id }) =>
      async (stores, actor) => {
        const stored = await stores.deliveries.get(id)
        const delivery = visibleTo(actor, stored)
        const disputes = visibleDisputes(actor, delivery, await stores.disputes.ofDelivery(id))
        const reports = disputes.map(({ ID, ResolvedAt = '' }) => `${ID}${ResolvedAt}`)
        return { body: { delivery, disputes }, tag: `${id}:${stored?.version}:${reports}` }
      },

    changeStatus:
      ({ id, input, when }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        const { status, proofOfDelivery } = input
        const before = await stores.deliveries.lock(id)
        if (!before || !mayChange(before, user))
          throw (before && takenRefusal(before, user.ID)) ?? new Refusal('not-found')
        if (proofOfDelivery !== undefined && !isHostedPhoto(proofOfDelivery, options.imageHost))
          throw new Refusal('photo-not-hosted', 'Please upload the photo of the delivery first.')
        if (proofOfDelivery !== undefined) await countOrRefuse(stores, secrets, proofs, id, when.at)
        await markPhotoUsed(stores, ports, proofOfDelivery)
        const after = isDriverOf(before, user)
          ? byDriver(before, user, status, proofOfDelivery, when)
          : await chargedTip(
              stores,
              before,
              bySender(before, { user }, input, when, options.endings),
            )
        return saveByDriver(stores, secrets, before, after, { user })
      },

    changeGuestStatus:
      ({ id, input, when }) =>
      async (stores, actor) => {
        const guest = requireActor(actor)
        const before = await stores.deliveries.lock(id)
        if (!before || !isSenderOf(before, guest)) throw new Refusal('not-found')
        if (!equalSecrets(input.guestPhone, before.senderPhone ?? ''))
          throw new Refusal('wrong-phone')
        const asked = bySender(before, guest, input, when, options.endings)
        const after = await chargedTip(stores, before, asked)
        return saveByDriver(stores, secrets, before, after, guest)
      },
  }
}

const mayChange = (delivery: Delivery, user: User) =>
  isOffice(user) || isPartyTo(delivery, { user })

/** The sender or guest approves or cancels, or an admin for them (R26, R27, R194). Refusals: the rule's own, wrong-status. */
function bySender(
  delivery: Delivery,
  actor: Actor,
  input: { status: Status } & Details<InputOf<'approveDelivery'> & InputOf<'cancelDelivery'>>,
  when: ActionTime,
  terms: EndingTerms,
): Delivery {
  const { approveDelivery, approveForSender, cancelDelivery } = operations
  if (input.status === 'Cancelled') return cancelDelivery.rule(delivery, actor, when, input, terms)
  if (input.status !== 'Approved') throw new Refusal('wrong-status')
  if (isSenderOf(delivery, actor)) {
    if (input.reason) throw new Refusal('invalid', 'A reason goes with a cancel.')
    return approveDelivery.rule(delivery, actor, when, input)
  }
  if (input.tip !== undefined || input.paidBy !== undefined)
    throw new Refusal('invalid', 'Only the sender says what they paid.')
  return approveForSender.rule(delivery, actor, when, input)
}

/** The driver picks up, with or without a photo, or adds a photo later (R25, R28). Refusals: the rule's own, wrong-status. */
function byDriver(
  delivery: Delivery,
  driver: User,
  status: Status,
  proof: string | undefined,
  when: ActionTime,
): Delivery {
  if (proof !== undefined && (status === delivery.status || isLateProof(delivery, status)))
    return attachProof(delivery, driver, proof, when.at)
  if (status !== 'Picked Up') throw new Refusal('wrong-status')
  const picked = pickUp(delivery, driver, when)
  return proof === undefined ? picked : attachProof(picked, driver, proof, when.at)
}

/**
 * A photo that arrives after the code that was typed later; or the first one, after the sender has approved
 * or of what was reported late (R28, R124).
 */
const isLateProof = (delivery: Delivery, said: Status): boolean => {
  const { status, proofOfDelivery } = delivery
  if (said === 'Picked Up' && status === 'Delivered') return true
  if (proofOfDelivery !== undefined) return false
  if (isClaimed(delivery)) return said === lastOfDriver(delivery)
  return status === 'Approved' && (said === 'Picked Up' || said === 'Delivered')
}

/** A delivery whose pick-up the sender contests does not prevent their next request (R125). */
function withoutContested<Found extends { body: { deliveries: Delivery[]; removed?: string[] } }>(
  found: Found,
): Found {
  const { deliveries, removed } = found.body
  const contested = deliveries.filter((each) => each.contested).map(({ ID }) => ID)
  const body = {
    ...found.body,
    deliveries: deliveries.filter((each) => !each.contested),
    ...(removed ? { removed: [...removed, ...contested] } : {}),
  }
  return { ...found, body }
}
