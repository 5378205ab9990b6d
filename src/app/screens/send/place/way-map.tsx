import { useMemo } from 'react'
import type { SendDraft } from '#domain/deliveries/draft.ts'
import { pinOf } from '#domain/deliveries/places/place.ts'
import { distancesOf } from '#domain/zones/roads.ts'
import { zones } from '#store/queries/queries.ts'
import { ZoneMap } from '../../../components/map/zone-map.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import { kilometres } from '../../../texts/way/kilometres.ts'

/** Both ends of a request on a map, and how far they are apart, once both are chosen (R163). */
export function WayMap({ draft }: { draft: SendDraft }) {
  const { pickupZone: from, dropoffZone: to, pickupPlace, dropoffPlace } = draft
  const all = useLive(zones)
  const distance = useMemo(() => all && distancesOf(all), [all])
  const km = distance?.(from, to)
  if (!from || !to || from === to || km === Number.POSITIVE_INFINITY) return null
  const pins = [
    { label: 'Pickup', pin: pinOf(pickupPlace ?? {}) },
    { label: 'Drop-off', pin: pinOf(dropoffPlace ?? {}) },
  ].flatMap(({ label, pin }) => (pin ? [{ label, ...pin }] : []))
  return (
    <figure className="grid gap-1.5">
      <ZoneMap zones={all} way={[from, to]} pins={pins} />
      <figcaption className="text-sm text-soft">
        <Verbatim>{from}</Verbatim> to <Verbatim>{to}</Verbatim>
        {km !== undefined && `: ${kilometres(km)} by road`}
      </figcaption>
    </figure>
  )
}
