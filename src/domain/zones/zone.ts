import * as z from 'zod/mini'
import { Choice } from '../choices.ts'

/** What an admin changes of a zone: its centre in degrees, and all of its roads; what is left out stays. */
export const zoneChange = {
  lat: z.optional(z.number()),
  lng: z.optional(z.number()),
  roads: z.optional(z.array(z.object({ to: z.string(), km: z.number() }))),
}

/** A zone on the list, with its centre in degrees and its roads to others, by their names, where they are known (R165). */
export const Zone = z.extend(Choice, zoneChange)
export type Zone = z.infer<typeof Zone>

export type ZoneChange = Pick<Zone, 'lat' | 'lng' | 'roads'>

/** Whether its centre is known. */
export const isPlaced = <Z extends { lat?: number; lng?: number }>(
  zone: Z,
): zone is Z & { lat: number; lng: number } => zone.lat !== undefined && zone.lng !== undefined
