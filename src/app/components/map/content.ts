import type { ZonePlace } from '#domain/zones/roads.ts'

/** What a map shows. Zones are named; one without a centre, or not on the list, is left out. */
export type MapContent = {
  zones: readonly ZonePlace[]
  /** The zones somebody goes through, in their order: drawn thick, over the shortest roads between each two. */
  way?: readonly string[]
  /** Arrows from pick-up to drop-off. `label`: 1, 2, 3 … in their order unless said; empty for none. */
  jobs?: readonly { from: string; to: string; label?: string }[]
  /** Doors and the like. `label`: what it is of, as `Pickup`. */
  pins?: readonly { lat: number; lng: number; label: string }[]
  /** How many of something each zone has, as `3 jobs wait`: `counted` is `jobs wait`. */
  counts?: ReadonlyMap<string, number>
  counted?: string
  /** A zone that stands out. */
  marked?: string
}

/** `onPick`: a tap, as a position in degrees with five decimals. */
export type MapProps = MapContent & { onPick?: (at: { lat: number; lng: number }) => void }
