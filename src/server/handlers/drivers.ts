import { isDriverOf, type Status } from '#domain/deliveries/delivery.ts'
import { accept, deliver } from '#domain/deliveries/transitions.ts'
import { Refusal } from '#domain/errors.ts'
import { isApprovedDriver } from '#domain/users/user.ts'
import { type Handlers, requireUser } from '../http/handler.ts'
import { assertAttemptsLeft, attemptKey } from '../limits/rate-limits.ts'
import type { Ports } from '../ports/ports.ts'
import { equalSecrets } from '../ports/secrets.ts'
import { deliveryChanged } from '../rules/change-events.ts'
import { deliveryLists, visibleTo } from '../rules/visibility.ts'

type DriverHandlers = Pick<
  Handlers,
  | 'driverStatus'
  | 'availableDeliveries'
  | 'driverDeliveries'
  | 'acceptDelivery'
  | 'completeDelivery'
>

const underWay: Status[] = ['Accepted', 'Picked Up']

/** Finding jobs (R51), accepting one (R24), and delivering it with the recipient's code (R25). */
export function driverHandlers(ports: Ports): DriverHandlers {
  const { secrets, options } = ports
  const answerList = deliveryLists(ports)
  return {
    driverStatus: () => async (_stores, actor) => ({
      body: { status: requireUser(actor).driverStatus ?? 'pending' },
    }),

    availableDeliveries:
      ({ query }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        if (!isApprovedDriver(user)) throw new Refusal('driver-not-approved')
        const pickupZone = query.pickupZone || undefined
        const dropoffZone = query.dropoffZone || undefined
        const of = { forDriver: user.ID }
        const only = { pickupZone, dropoffZone }
        return answerList(stores, user, { of, only, statuses: ['Pending'] }, query)
      },

    driverDeliveries:
      ({ query }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        const includesCompleted = ['true', '1'].includes(query.include_completed ?? '')
        const list = { of: { driver: user.ID }, statuses: includesCompleted ? undefined : underWay }
        return answerList(stores, user, list, query)
      },

    acceptDelivery:
      ({ id, when }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        const before = await stores.deliveries.lock(id)
        if (!before) throw new Refusal('not-found')
        // They accepted it before: their own repeat is no conflict with another driver.
        if (isDriverOf(before, user)) throw new Refusal('wrong-status')
        const after = accept(before, user, when)
        const saved = await stores.deliveries.save(after)
        await stores.publish(deliveryChanged(saved, before))
        return { body: { delivery: visibleTo(actor, saved) } }
      },

    completeDelivery:
      ({ id, input, at, when }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        const code = input.code.trim()
        if (code === '') throw new Refusal('invalid', 'Please enter the delivery code')
        const before = await stores.deliveries.lock(id)
        if (!before || !isDriverOf(before, user)) throw new Refusal('not-found')
        const after = deliver(before, user, when)
        await assertAttemptsLeft(stores, secrets, options.limits.deliveryCode, id, at)
        if (!equalSecrets(code, before.deliveryCode ?? '')) {
          const key = attemptKey(secrets, options.limits.deliveryCode, id)
          await stores.attempts.add({ id: secrets.id(), key, at })
          return { refusal: new Refusal('wrong-code') }
        }
        const saved = await stores.deliveries.save(after)
        await stores.publish(deliveryChanged(saved, before))
        return { body: { delivery: visibleTo(actor, saved) } }
      },
  }
}
