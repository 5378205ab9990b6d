import { type Actor, isDriverOf } from '#domain/deliveries/delivery.ts'
import { pinOf } from '#domain/deliveries/places/place.ts'
import { zones } from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { ZoneMap } from '../../../components/map/zone-map.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import { stopsOf } from './places.tsx'

/** The way to carry, for the driver who has the job, with a pin at each door whose position is known. */
export function JobMap({ row: { view }, who }: { row: DeliveryRow; who: Actor | undefined }) {
  const all = useLive(zones)
  const isUnderWay = view.status === 'Accepted' || view.status === 'Picked Up'
  if (!isUnderWay || !who || !('user' in who) || !isDriverOf(view, who.user)) return null
  const pins = stopsOf(view).flatMap(({ name, place }) => {
    const pin = pinOf(place)
    return pin ? [{ label: name, ...pin }] : []
  })
  return <ZoneMap zones={all} way={[view.pickupZone, view.dropoffZone]} pins={pins} />
}
