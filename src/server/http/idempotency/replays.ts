import type { Op } from '#contract/endpoints.ts'
import { asReplayed } from '#domain/deliveries/contacts.ts'
import { type Actor, type Delivery, isUnseen } from '#domain/deliveries/delivery.ts'
import type { Deliveries } from '../../ports/stores/delivery-stores.ts'
import type { KeyedResponse } from './idempotency.ts'

/** A stored response to repeat, and the call that repeats it, if there is one. */
type Repeated = { first: KeyedResponse; op?: Op; input?: unknown }

/**
 * A stored response, repeated (R70). Its delivery shows no more than its reader may see now (R129, R130);
 * everything else stays as it was.
 */
export async function replayResponse(
  find: Deliveries['get'],
  reader: Actor | undefined,
  { op, input, first }: Repeated,
): Promise<KeyedResponse> {
  const { body } = first
  if ('body' in body) {
    // The response of a withdrawal holds that of the request which took effect (R154).
    const inner = await replayResponse(find, reader, { first: body as KeyedResponse })
    return { ...first, body: { ...body, body: inner.body } }
  }
  if (!('delivery' in body)) return first
  const { delivery: answered, ...rest } = body as { delivery: Delivery }
  const now = await find(answered.ID)
  if (op === 'createGuestDelivery') return guestCreateAgain(input, first, now)
  return { ...first, body: { ...rest, delivery: asReplayed(reader, answered, now) } }
}

/**
 * A guest's create, answered again (R50, R54). Its driver may know the key and every field of the
 * request. The token and the code are therefore repeated only when the request carried a `guestSecret`,
 * which no driver sees, or while no driver has had the delivery (R130).
 */
function guestCreateAgain(
  input: unknown,
  first: KeyedResponse,
  now: Delivery | undefined,
): KeyedResponse {
  const secret =
    typeof input === 'object' && input !== null && 'guestSecret' in input && input.guestSecret
  if (secret || (now && isUnseen(now))) return first
  const { delivery } = first.body as { delivery: Delivery }
  const { deliveryCode: _, ...kept } = delivery
  return { ...first, body: { delivery: kept } }
}
