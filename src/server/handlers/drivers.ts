import { accept, deliver, isDriverOf, type Status } from '#domain/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { isApprovedDriver } from '#domain/user.ts'
import { type Handlers, personIn } from '../http/handler.ts'
import { mustHaveLeft, subjectKey } from '../limits/rate-limits.ts'
import type { Gateways } from '../ports/ports.ts'
import { sameSecret } from '../ports/secrets.ts'
import { newsOf } from '../rules/change-events.ts'
import { deliveryLists, shownTo } from '../rules/visibility.ts'

type Driving = Pick<
  Handlers,
  | 'driverStatus'
  | 'availableDeliveries'
  | 'driverDeliveries'
  | 'acceptDelivery'
  | 'completeDelivery'
>

const underWay: Status[] = ['Accepted', 'Picked Up']

/** Finding jobs, taking one, and handing it over with the recipient's code (spec §4). */
export function driverHandlers(gateways: Gateways): Driving {
  const { secrets, options } = gateways
  const answerList = deliveryLists(gateways)
  return {
    driverStatus: () => async (_stores, actor) => ({
      body: { status: personIn(actor).driverStatus ?? 'pending' },
    }),

    availableDeliveries:
      ({ query }) =>
      async (stores, actor) => {
        const user = personIn(actor)
        if (!isApprovedDriver(user)) throw new Refusal('driver-not-approved')
        const pickupZone = query.pickupZone || undefined
        const dropoffZone = query.dropoffZone || undefined
        const of = { forDriver: user.ID, pickupZone, dropoffZone }
        return answerList(stores, user, { of, statuses: ['Pending'] }, query)
      },

    driverDeliveries:
      ({ query }) =>
      async (stores, actor) => {
        const user = personIn(actor)
        const whole = ['true', '1'].includes(query.include_completed ?? '')
        const list = { of: { driver: user.ID }, statuses: whole ? undefined : underWay }
        return answerList(stores, user, list, query)
      },

    acceptDelivery:
      ({ id, when }) =>
      async (stores, actor) => {
        const user = personIn(actor)
        const before = await stores.deliveries.lock(id)
        if (!before) throw new Refusal('not-found')
        // It was they who were first.
        if (isDriverOf(before, user)) throw new Refusal('wrong-status')
        const after = accept(before, user, when)
        const saved = await stores.deliveries.save(after)
        await stores.announce(newsOf(saved, before))
        return { body: { delivery: shownTo(actor, saved) } }
      },

    completeDelivery:
      ({ id, input, at, when }) =>
      async (stores, actor) => {
        const user = personIn(actor)
        const code = input.code.trim()
        if (code === '') throw new Refusal('invalid', 'Please enter the delivery code')
        const before = await stores.deliveries.lock(id)
        if (!before || !isDriverOf(before, user)) throw new Refusal('not-found')
        const after = deliver(before, user, when)
        await mustHaveLeft(stores, secrets, options.limits.deliveryCode, id, at)
        if (!sameSecret(code, before.deliveryCode ?? '')) {
          const key = subjectKey(secrets, options.limits.deliveryCode, id)
          await stores.attempts.add({ id: secrets.id(), key, at })
          return { refusal: new Refusal('wrong-code') }
        }
        const saved = await stores.deliveries.save(after)
        await stores.announce(newsOf(saved, before))
        return { body: { delivery: shownTo(actor, saved) } }
      },
  }
}
