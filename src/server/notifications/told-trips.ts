import type { Delivery } from '#domain/deliveries/delivery.ts'
import { anyZone, dayOf, type Trip, toldDepartures } from '#domain/users/commutes.ts'
import { waysOver } from '#domain/zones/on-the-way.ts'
import { distancesOf, type ZonePlace } from '#domain/zones/roads.ts'
import { currentName } from '#domain/zones/zone.ts'
import type { ToldTrips } from '../ports/stores/notification-store.ts'

type Job = Pick<Delivery, 'pickupZone' | 'dropoffZone'>

/** The trips on whose way a job is (R164, R166), also if its zones have left the list. */
function tripsWith(zones: readonly ZonePlace[], job: Job): Trip[] {
  // Commutes follow a zone to its new name, a delivery keeps the one that it was made with (R206).
  const now = (name: string) => currentName(zones, name) ?? name
  const [pickupZone, dropoffZone] = [now(job.pickupZone), now(job.dropoffZone)]
  return [
    { from: pickupZone, to: dropoffZone },
    { from: anyZone, to: dropoffZone },
    { from: pickupZone, to: anyZone },
    { from: anyZone, to: anyZone },
    ...waysOver(distancesOf(zones), zones, pickupZone, dropoffZone),
  ]
}

/** The trips whose drivers are told of a job now (R167). */
export const toldTrips = (zones: readonly ZonePlace[], job: Job, time: Date): ToldTrips => ({
  ways: tripsWith(zones, job),
  departures: toldDepartures(time),
  day: dayOf(time.getTime()),
})
