import type { Op } from '#contract/endpoints.ts'
import { asAnsweredAgain } from '#domain/deliveries/contacts.ts'
import { type Actor, type Delivery, isUnseen } from '#domain/deliveries/delivery.ts'
import type { Deliveries } from '../../ports/stores/delivery-stores.ts'
import type { Answer } from './idempotency.ts'

/** What is repeated: the answer that was stored under a request key, and the call, where it is made again. */
type Repeated = { first: Answer; op?: Op; input?: unknown }

/**
 * A stored answer as it is given again (R70). The delivery in it shows no more than its reader may see by now
 * (R129, R130); everything else stays as it was.
 */
export async function answerAgain(
  find: Deliveries['get'],
  reader: Actor | undefined,
  { op, input, first }: Repeated,
): Promise<Answer> {
  const { body } = first
  if ('body' in body) {
    // The answer of a withdrawal holds that of the request which took effect (R154).
    const inner = await answerAgain(find, reader, { first: body as Answer })
    return { ...first, body: { ...body, body: inner.body } }
  }
  if (!('delivery' in body)) return first
  const { delivery: answered, ...rest } = body as { delivery: Delivery }
  const now = await find(answered.ID)
  if (op === 'createGuestDelivery') return guestCreateAgain(input, first, now)
  return { ...first, body: { ...rest, delivery: asAnsweredAgain(reader, answered, now) } }
}

/**
 * A guest's create, answered again (R50, R54). Its driver may know the key and every field of the
 * request. The token and the code are therefore repeated only when the request carried a `guestSecret`,
 * which no driver sees, or while no driver has had the delivery (R130).
 */
function guestCreateAgain(input: unknown, first: Answer, now: Delivery | undefined): Answer {
  const secret =
    typeof input === 'object' && input !== null && 'guestSecret' in input && input.guestSecret
  if (secret || (now && isUnseen(now))) return first
  const { delivery } = first.body as { delivery: Delivery }
  const { deliveryCode: _, ...kept } = delivery
  return { ...first, body: { delivery: kept } }
}
