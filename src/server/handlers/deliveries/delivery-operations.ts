import { type Actor, type Delivery, isDriverOf, isSenderOf } from '#domain/deliveries/delivery.ts'
import { takenRefusal } from '#domain/deliveries/office/office.ts'
import { sideOf } from '#domain/deliveries/rate.ts'
import { Refusal } from '#domain/errors.ts'
import { operations } from '#operations/index.ts'
import type { DeliveryRule } from '#operations/operation.ts'
import type { DeliveryCall, Effect } from '../../effects/effect.ts'
import { effects } from '../../effects/index.ts'
import { type Handler, type Handlers, requireActor, type Work } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import { equalSecrets } from '../../ports/secrets.ts'
import { saveByDriver } from '../../rules/deliveries/late-reports.ts'
import { visibleTo } from '../../rules/visibility.ts'

/** Every operation on a delivery that has a call of its own: the rule decides, and its effect does the rest. */
export const deliveryOperationHandlers = (ports: Ports): Pick<Handlers, DeliveryCall> =>
  Object.fromEntries(
    Object.keys(effects).map((op) => [op, handlerOf(ports, op as DeliveryCall)]),
  ) as Pick<Handlers, DeliveryCall>

/** Whether a caller may know of a delivery, by the side that an operation is for. */
const mayKnow = {
  driver: (delivery: Delivery, actor: Actor) => 'user' in actor && isDriverOf(delivery, actor.user),
  sender: isSenderOf,
  party: (delivery: Delivery, actor: Actor) => sideOf(delivery, actor) !== undefined,
}

/** Locks the delivery, applies the rule, saves the result and returns the reply. */
function handlerOf<O extends DeliveryCall>(ports: Ports, op: O): Handler<O> {
  const { by, rule } = operations[op] as DeliveryRule
  // A driver whose job the office took may accept it again, and do nothing else with it (R192).
  const isOfDriver = operations[op].call.access === 'driver' && op !== 'acceptDelivery'
  const { alsoLocks, load, terms, allowed, save } = effects[op] as Effect<O>
  return async (asked) => {
    const work = async (stores: Stores, caller: Actor | undefined) => {
      const actor = requireActor(caller)
      const about = { ports, stores, actor, asked }
      const [before, loaded] = await Promise.all([stores.deliveries.lock(asked.id), load?.(about)])
      const taken = isOfDriver && before && 'user' in actor && takenRefusal(before, actor.user.ID)
      if (taken) throw taken
      if (!before || (by && !mayKnow[by](before, actor))) throw new Refusal('not-found')
      const input: object = asked.input ?? {}
      assertPhone(before, input)
      const situation = { ...about, before, loaded }
      const known = await terms?.(situation)
      if (known && 'refusal' in known) return known
      const after = rule(before, actor, asked.when, input, known)
      await allowed?.(situation)
      if (save) return save(situation, after)
      return after === before
        ? { body: { delivery: visibleTo(actor, before) } }
        : saveByDriver(stores, ports.secrets, before, after, actor)
    }
    const locks = await alsoLocks?.(ports, asked)
    // The response holds the delivery, or what the effect returns.
    return Object.assign(work as Work<O>, { alsoLocks: locks })
  }
}

/** A guest's token is enough; if the call also gives a phone number, it must be the guest's. Refusal: wrong-phone. */
function assertPhone({ senderPhone = '' }: Delivery, input: { guestPhone?: string }) {
  if (input.guestPhone !== undefined && !equalSecrets(input.guestPhone, senderPhone))
    throw new Refusal('wrong-phone')
}
