import type { Way } from '#domain/zones/on-the-way.ts'
import { zones } from '#store/queries/queries.ts'
import { ZoneMap } from '../../components/map/zone-map.tsx'
import type { SteadyRow } from '../../hooks/lists/use-steady-list.ts'
import { useLive } from '../../hooks/use-live.ts'

/** The driver's way, and the first jobs of the list with their numbers. */
export function JobsMap({ way, jobs }: { way: Way | undefined; jobs: readonly SteadyRow[] }) {
  const all = useLive(zones)
  const arrows = jobs.map(({ row: { view } }) => ({ from: view.pickupZone, to: view.dropoffZone }))
  return <ZoneMap zones={all} way={way && [way.from, way.to]} jobs={arrows} />
}

/** The way there, the carry and the way on. */
export function JobMap({ way, from, to }: { way: Way | undefined; from: string; to: string }) {
  const all = useLive(zones)
  const stops = way && [way.from, from, to, way.to]
  return <ZoneMap zones={all} way={stops} jobs={[{ from, to, label: '' }]} />
}
