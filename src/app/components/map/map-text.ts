import type { Distance } from '#domain/zones/roads.ts'
import { routeOver } from '#domain/zones/route.ts'
import { kilometres } from '../../texts/way/kilometres.ts'
import type { MapContent } from './content.ts'

/** What the map shows, as sentences for whoever cannot see it. */
export function mapText(content: MapContent, distance: Distance): string {
  const { zones, way = [], jobs = [], pins = [], counts, counted = '', marked } = content
  const parts = [
    wayText(content, distance, way),
    ...jobs.map(({ from, to, label }, index) => {
      const name = label === '' ? 'Delivery' : `Job ${label ?? index + 1}`
      return `${name}: ${from} to ${to}`
    }),
    pins.length > 0 &&
      `${pins.length === 1 ? 'Pin' : 'Pins'}: ${pins.map(({ label }) => label).join(', ')}`,
    counts && countsText(counts, counted),
    marked && `Marked: ${marked}`,
  ].filter(Boolean)
  const shown = parts.length > 0 ? parts : [`${zones.length} zones and the roads between them`]
  return `Map. ${shown.join('. ')}.`
}

function wayText({ zones }: MapContent, distance: Distance, way: readonly string[]) {
  if (way.length < 2) return undefined
  const route = routeOver(zones, distance, way)
  const over = route.slice(1, -1)
  const km = route.reduce((sum, name, index) => sum + distance(route[index - 1] ?? name, name), 0)
  return (
    `Way from ${route[0]} to ${route.at(-1)}` +
    (over.length > 0 ? ` over ${over.join(', ')}` : '') +
    (km < Number.POSITIVE_INFINITY ? `, ${kilometres(km)}` : '')
  )
}

function countsText(counts: ReadonlyMap<string, number>, counted: string): string {
  const most = [...counts].sort(([, a], [, b]) => b - a)
  const list = most.map(([name, count]) => `${name} ${count}`).join(', ')
  return list === '' ? `No ${counted}` : `${counted[0]?.toUpperCase()}${counted.slice(1)}: ${list}`
}
