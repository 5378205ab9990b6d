import * as z from 'zod/mini'

/** The mobile money networks of Ghana, as the provider names them: MTN, Telecel Cash, AirtelTigo. */
export const Network = z.enum(['mtn', 'vod', 'atl'])
export type Network = z.infer<typeof Network>

/**
 * The mobile money account that a driver is paid to (R175). `from`: from when on it counts, ISO 8601; of one that is not
 * confirmed, when its code was sent.
 */
export const PayoutNumber = z.object({
  phone: z.string(),
  network: Network,
  name: z.string(),
  from: z.string(),
})
export type PayoutNumber = z.infer<typeof PayoutNumber>
