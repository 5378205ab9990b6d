import { useMemo } from 'react'
import { longerRoads } from '#domain/zones/longer-roads.ts'
import type { ZonePlace } from '#domain/zones/roads.ts'
import { Notice } from '../../../components/text/notice.tsx'

/** Names the roads that are longer than the way over other zones (R165). `of`: only those of this zone. */
export function LongerRoads({ zones, of }: { zones: readonly ZonePlace[]; of?: string }) {
  const found = useMemo(() => longerRoads(zones), [zones])
  const shown = found.filter(({ from, to }) => !of || from === of || to === of)
  if (shown.length === 0) return null
  return (
    <Notice title="Check these roads">
      <ul className="grid gap-1 text-sm">
        {shown.map(({ from, to, extra, over }) => (
          <li key={`${from} ${to}`}>
            {from} to {to} is {extra} km shorter over {over.join(', ')}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
