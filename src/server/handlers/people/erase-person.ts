import type { Delivery } from '#domain/deliveries/delivery.ts'
import { isActiveDelivery, isDriverOf, isSenderOf } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { withoutDriver, withoutSender } from '#domain/personal/deleted-user.ts'
import type { User } from '#domain/users/user.ts'
import { storedResponses } from '../../http/idempotency/idempotency.ts'
import { forgetGuestPhone } from '../../notifications/guest-phones.ts'
import { deliveryChanged } from '../../ports/change-events.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { personKey } from '../../ports/stores/request-store.ts'
import { releasePhotos } from '../../rules/photos.ts'

/** Deletes what is held about an account or a guest, in one transaction (R216). */
export function erasePerson(ports: Pick<Ports, 'repo' | 'secrets' | 'options'>) {
  const { repo, secrets } = ports
  const responses = storedResponses(repo, secrets)

  /** Writes a delivery without one of its parties; the other one's phone gets the row again. */
  async function save(stores: Stores, before: StoredDelivery, after: Delivery, at: string) {
    const saved = await stores.deliveries.save(before, { ...after, updatedAt: at })
    await stores.publish(deliveryChanged(saved))
  }

  return {
    /** The account and its name in every delivery. Refusal: open. */
    async account(stores: Stores, user: User, at: string): Promise<void> {
      const all = await stores.personal.lockDeliveriesOf(user.ID)
      const sent = all.filter((each) => isSenderOf(each, { user })).map(({ ID }) => ID)
      await assertNothingOpen(stores, all, user)
      if (await stores.personal.hasOpenPayments(sent, user.ID)) throw new Refusal('open')
      const application = await stores.applications.get(user.ID)
      const photos = [user.photo, application?.IDPhoto].filter((url) => url !== undefined)
      for (const before of all) {
        const asSender = isSenderOf(before, { user })
          ? withoutSender(before)
          : { delivery: before, photos: [] }
        const { delivery, photos: ofDriver } = withoutDriver(asSender.delivery, user.ID)
        photos.push(...asSender.photos, ...ofDriver)
        await save(stores, before, delivery, at)
      }
      await stores.personal.eraseRequests(sent)
      await stores.personal.erase(user.ID, user)
      if (user.Verified) await forgetGuestPhone(stores, secrets, user.phone_number)
      await releasePhotos(stores, ports, await stores.personal.unnamedPhotos(photos), at)
      await stores.publish({ about: 'me', to: [user.ID] })
      await stores.publish({ about: 'users', id: user.ID, to: [], admins: true })
    },

    /** Requests of one guest. Refusal: open. */
    async guest(stores: Stores, requests: readonly StoredDelivery[], at: string): Promise<void> {
      const ids = requests.map(({ ID }) => ID)
      await assertNothingOpen(stores, requests)
      if (await stores.personal.hasOpenPayments(ids)) throw new Refusal('open')
      const photos: string[] = []
      for (const before of requests) {
        const { delivery, photos: ofSender } = withoutSender(before)
        photos.push(...ofSender)
        await save(stores, before, delivery, at)
        // A guest's create has no caller: its key is the delivery's ID (R72).
        const id = responses.idOf({ person: personKey(undefined), key: before.ID })
        await stores.requests.remove(id)
      }
      await stores.personal.eraseRequests(ids)
      await releasePhotos(stores, ports, await stores.personal.unnamedPhotos(photos), at)
      await stores.publish({ about: 'me', to: ids })
    },
  }
}

/** Refusal: open, while a delivery or job goes on, its money is held, or an issue of theirs is not decided. */
async function assertNothingOpen(stores: Stores, all: readonly StoredDelivery[], user?: User) {
  for (const delivery of all) {
    const isParty = !user || isSenderOf(delivery, { user }) || isDriverOf(delivery, user)
    const isOpen = isActiveDelivery(delivery) || delivery.disputed || delivery.refund === 'held'
    if (isParty && isOpen) throw new Refusal('open')
    // A driver who gave the job back may have reported an issue before.
    if (isParty || !delivery.disputed) continue
    const reported = await stores.disputes.ofDelivery(delivery.ID)
    if (reported.some(({ status, reportedBy }) => status === 'open' && reportedBy === user?.ID))
      throw new Refusal('open')
  }
}
