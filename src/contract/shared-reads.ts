import * as z from 'zod/mini'
import { Choice } from '#domain/choices.ts'
import { officeSettings } from '#domain/office/settings.ts'
import { Zone } from '#domain/zones/zone.ts'
import { get } from '#operations/endpoint.ts'

/** What everybody reads, whoever they are. Apart from the other reads, because a phone's first page loads no more. */
export const sharedReads = {
  zones: get('/zones', 'anyone', z.object({ zones: z.array(Zone) })),
  items: get('/items', 'anyone', z.object({ items: z.array(Choice) })),
  config: get(
    '/config',
    'anyone',
    z.object({
      imageUploadUrl: z.string(),
      imageUploadPreset: z.string(),
      /** For ID photos, which are private (R55). Other backends may not send it. */
      idUploadPreset: z.optional(z.string()),
      imageHost: z.string(),
      /** The oldest build of the app that this server serves, if it asks for one (R90). */
      minClientVersion: z.optional(z.number()),
      /** Hours, a share from 0 to 1, and minutes (R103, R105, R106). Other backends may not send them. */
      autoApproveHours: z.optional(z.number()),
      returnShare: z.optional(z.number()),
      waitMinutes: z.optional(z.number()),
      /** The smallest offer, in cedis (R21). Other backends may not send it. */
      minOffer: z.optional(z.number()),
      /** How senders pay drivers, and the operator's part in per cent (R171, R174). Other backends may not send them. */
      payments: z.optional(z.string()),
      feePercent: z.optional(z.number()),
      /** For how many days a response is repeated under its request key (R218). Other backends may not send it. */
      idempotencyDays: z.optional(z.number()),
      // What the office sets (R162, R204); `pausedUntil`: when requests are taken again, missing while they are (R205).
      ...officeSettings,
      /** The public VAPID key; missing where nobody is told with the app closed (R117). */
      pushKey: z.optional(z.string()),
    }),
  ),
}

export type SharedRead = keyof typeof sharedReads
