import * as z from 'zod/mini'
import { Choice } from '../choices.ts'

/** What an admin changes of a zone: its centre in degrees, and all of its roads; what is left out stays. */
export const zoneChange = {
  lat: z.optional(z.number()),
  lng: z.optional(z.number()),
  roads: z.optional(z.array(z.object({ to: z.string(), km: z.number() }))),
}

/**
 * A zone on the list, with its centre in degrees and its roads to others, by their names, where they are known (R165).
 * `former`: names that it had, the newest first (R206).
 */
export const Zone = z.extend(Choice, { ...zoneChange, former: z.optional(z.array(z.string())) })
export type Zone = z.infer<typeof Zone>

export type ZoneChange = Pick<Zone, 'lat' | 'lng' | 'roads'>

/** What a zone of this name, or one that had it, is called now (R206); nothing where there is none. */
export const currentName = (
  zones: readonly { Name: string; former?: string[] }[],
  name: string,
): string | undefined =>
  (zones.find(({ Name }) => Name === name) ?? zones.find(({ former }) => former?.includes(name)))
    ?.Name

/** Its former names once it is called `name`. */
export const formerNames = ({ Name, former = [] }: Pick<Zone, 'Name' | 'former'>, name: string) =>
  [Name, ...former].filter((each) => each !== name)

/** Whether its centre is known. */
export const isPlaced = <Z extends { lat?: number; lng?: number }>(
  zone: Z,
): zone is Z & { lat: number; lng: number } => zone.lat !== undefined && zone.lng !== undefined
