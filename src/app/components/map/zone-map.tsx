import { Suspense } from 'react'
import { isPlaced } from '#domain/zones/zone.ts'
import { lazyPart } from '../page/lazy-part.tsx'
import type { MapProps } from './content.ts'

const Drawing = lazyPart(
  () => import('./drawing.tsx'),
  () => null,
)

/**
 * A map of the zones, drawn from what the phone has: no tiles, no request. It shows the shore, the roads, and what
 * `MapContent` names, and zooms to the way, the jobs and the pins where there are any. As wide as its parent, 4:3, on a
 * wider screen 8:5, at most 22 rem high; its place is kept while `zones` are read (`undefined`) or have not come from the
 * server yet (none). Screen readers get a sentence that says the same. Where no zone has a centre there is nothing.
 */
export function ZoneMap({
  zones,
  ...props
}: Omit<MapProps, 'zones'> & { zones?: MapProps['zones'] }) {
  const drawn = zones?.some(isPlaced) ? zones : undefined
  if (zones?.length && !drawn) return null
  return (
    <div
      // Zones keep their names (R156).
      translate="no"
      className="aspect-4/3 max-h-[22rem] sm:aspect-8/5 w-full overflow-hidden rounded-control border border-line bg-paper"
    >
      <Suspense fallback={null}>{drawn && <Drawing zones={drawn} {...props} />}</Suspense>
    </div>
  )
}
