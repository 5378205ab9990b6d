import { isPlaced } from '#domain/zones/zone.ts'
import { adminStats } from '#store/queries/admin/admin.ts'
import { zones } from '#store/queries/queries.ts'
import { ZoneMap } from '../../../components/map/zone-map.tsx'
import { isUnavailable, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useLive, useOwn } from '../../../hooks/use-live.ts'

/** How many pending deliveries wait in each zone to be picked up. */
export function WaitingMap() {
  const list = useListState({ kind: 'adminStats' })
  const stats = useOwn(adminStats)
  const all = useLive(zones)
  if (stats ? !stats.waiting : isUnavailable(list)) return null
  const counts = new Map(Object.entries(stats?.waiting ?? {}))
  const placed = new Set(all?.filter(isPlaced).map(({ Name }) => Name))
  const elsewhere = [...counts].filter(([name]) => all && !placed.has(name))
  return (
    <section className="grid gap-3" aria-label="Where jobs wait">
      <h2>Where jobs wait</h2>
      <ZoneMap zones={stats ? all : undefined} counts={counts} counted="jobs wait" />
      <p className="text-sm text-soft">
        {stats && counts.size === 0
          ? 'No pending deliveries.'
          : 'Pending deliveries by pick-up zone. Gold: up to four. Red: five or more.'}
        {elsewhere.length > 0 &&
          ` Not on the map: ${elsewhere.map((each) => each.join(' ')).join(', ')}.`}
      </p>
    </section>
  )
}
