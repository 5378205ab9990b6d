import { Refusal } from '#domain/errors.ts'
import { storedResponses } from '../http/idempotency/idempotency.ts'
import { replayResponse } from '../http/idempotency/replays.ts'
import { addressLimits } from '../limits/address-limits.ts'
import type { Handlers } from '../ports/handler.ts'
import type { Ports } from '../ports/ports.ts'
import { personKey } from '../ports/stores/request-store.ts'

/** What became of requests, by their keys, for a phone that did not get the responses. */
export function requestHandlers(ports: Ports): Pick<Handlers, 'withdrawRequest' | 'knownRequests'> {
  const { repo, secrets, options } = ports
  const responses = storedResponses(repo, secrets)
  const fromAddress = addressLimits(ports)
  return {
    withdrawRequest:
      ({ id: key, input: { guestSecret }, at, address, solved }) =>
      async (stores, actor) => {
        // A guest's create has no caller, whoever is logged in on that phone.
        const caller = guestSecret ? undefined : actor
        if (!guestSecret && !actor) throw new Refusal('no-session')
        if (!caller)
          await fromAddress.count(stores, options.limits.guestRequests, { address, solved }, at)
        const person = personKey(caller)
        const first = await responses.withdraw(stores, { person, key, at }, guestSecret)
        if (!first) return { body: { state: 'withdrawn' as const } }
        const done = await replayResponse(stores.deliveries.get, caller, { first })
        return { body: { state: 'done' as const, ...done } }
      },
    knownRequests:
      ({ input: { keys } }) =>
      async (stores, actor) => ({
        body: { unknown: await responses.unknownOf(stores, personKey(actor), keys) },
      }),
  }
}
