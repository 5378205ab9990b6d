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
  return (
    <section className="grid gap-3" aria-label="Where jobs wait">
      <h2>Where jobs wait</h2>
      <ZoneMap zones={stats ? all : undefined} counts={counts} counted="jobs wait" />
      <p className="text-sm text-soft">
        Pending deliveries by pick-up zone. Gold: up to four. Red: five or more.
      </p>
    </section>
  )
}
