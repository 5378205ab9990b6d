import type { Handover } from '#contract/responses.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { recipientMemory } from '#domain/deliveries/handover/handover-link.ts'
import { Refusal } from '#domain/errors.ts'
import { firstNameOf } from '#domain/users/user.ts'
import type { Handlers } from '../../ports/handler.ts'
import { equalSecrets } from '../../ports/secrets.ts'

/** What a recipient sees with the track token of their parcel (R111). It opens nothing else. */
export const recipientHandlers = (): Pick<Handlers, 'handover'> => ({
  handover:
    ({ id, track, at }) =>
    async (stores) => {
      const delivery = await stores.deliveries.get(id)
      if (!delivery?.trackHash || !track || !equalSecrets(track, delivery.trackHash))
        throw new Refusal('not-found')
      if (hasEnded(delivery) && age(endOf(delivery), at) > recipientMemory)
        throw new Refusal('not-found')
      return { body: { handover: handoverOf(delivery) } }
    },
})

function handoverOf(delivery: Delivery): Handover {
  const { status, itemDescription, pickupZone, dropoffZone, driver, updatedAt } = delivery
  const phone = hasEnded(delivery) || status === 'Delivered' ? undefined : driver?.phone
  return {
    status,
    itemDescription,
    senderName: firstNameOf(delivery.senderName ?? ''),
    pickupZone,
    dropoffZone,
    ...(driver
      ? { driver: { name: firstNameOf(driver.name), ...(phone ? { phone_number: phone } : {}) } }
      : {}),
    updatedAt,
  }
}

const hasEnded = ({ status }: Delivery) => status === 'Approved' || status === 'Cancelled'
/** A rating or a report afterwards does not put it off. */
const endOf = ({ history = [], updatedAt }: Delivery) => history.at(-1)?.at ?? updatedAt
const age = (from: string, to: string) => Date.parse(to) - Date.parse(from)
