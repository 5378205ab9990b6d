import * as z from 'zod/mini'
import { Status } from '#domain/deliveries/delivery.ts'
import { attachProof as attach } from '#domain/deliveries/transitions.ts'
import { deliveryOperation, personIn } from '../operation.ts'
import { statusRequest } from '../shared-calls.ts'

/**
 * The driver's photo of the hand-over (R28). `photo`: on this phone. `status`: as it was shown when the photo was taken;
 * missing in entries of earlier releases. A phone does not know yet where the photo will be hosted.
 */
export const attachProof = deliveryOperation({
  input: z.object({ id: z.string(), photo: z.string(), status: z.optional(Status) }),
  request: ({ status = 'Delivered' }, context) =>
    statusRequest(status, context, { proofOfDelivery: context.photoUrl }),
  rule: (delivery, actor, when, _, url?: string) =>
    attach(delivery, personIn(actor), url ?? '', when.at),
  // A code at the door waits for no photo.
  queue: { isAside: true },
})
