import type { Distance } from '#domain/zones/roads.ts'
import { routeOver } from '#domain/zones/route.ts'
import { isPlaced } from '#domain/zones/zone.ts'
import type { MapContent } from './content.ts'
import { shore } from './shore.ts'

/** Where the shapes of a map stand, in pixels from its upper left corner. */
export type Layout = {
  /** Paths, as SVG's `d`. */
  sea: string
  roads: string
  way: string
  dots: Dot[]
  arrows: { line: string; head: string }[]
  badges: Box[]
  pins: { label: string; x: number; y: number }[]
  /** Names that fit beside each other; `x` is where they are anchored, `y` their baseline. */
  names: { name: string; x: number; y: number; anchor: Anchor; isStrong: boolean }[]
}
type Dot = Point & { name: string; radius: number; isStrong: boolean; count?: number }
type Anchor = 'start' | 'middle' | 'end'
/** In pixels. `text`: how many times the usual size this person has letters. */
export type Size = { width: number; height: number; text?: number }
type Point = { x: number; y: number }
type Box = Point & { width: number; height: number; text: string }
type Position = { lat: number; lng: number }

/** Around what is shown: room for names, in pixels. */
const margin = { x: 34, y: 26 }
/** Degrees of latitude that are shown at least: about 5 km. */
const leastSpan = 0.045

/** How a point of the map is found on the screen, and back. */
export type Projection = { toPoint(at: Position): Point; toPosition(at: Point): Position }

/** North is up; the positions fill the size, all of them inside its margin. */
export function projectionOf(positions: readonly Position[], { width, height }: Size): Projection {
  const [south, north] = rangeOf(positions.map(({ lat }) => lat))
  const [west, east] = rangeOf(positions.map(({ lng }) => lng))
  const middle = { lat: (south + north) / 2, lng: (west + east) / 2 }
  // A degree of longitude is shorter than one of latitude.
  const narrowing = Math.cos((middle.lat * Math.PI) / 180)
  const scale = Math.min(
    (width - 2 * margin.x) / Math.max((east - west) * narrowing, leastSpan),
    (height - 2 * margin.y) / Math.max(north - south, leastSpan),
  )
  return {
    toPoint: ({ lat, lng }) => ({
      x: width / 2 + (lng - middle.lng) * narrowing * scale,
      y: height / 2 - (lat - middle.lat) * scale,
    }),
    toPosition: ({ x, y }) => ({
      lat: round(middle.lat - (y - height / 2) / scale, 5),
      lng: round(middle.lng + (x - width / 2) / scale / narrowing, 5),
    }),
  }
}

/** The positions that a map is zoomed to: the way, the jobs and the pins, or all zones. */
export function focusOf(content: MapContent, distance: Distance): Position[] {
  const { zones, way = [], jobs = [], pins = [] } = content
  const named = new Set([
    ...routeOver(zones, distance, way),
    ...jobs.flatMap(({ from, to }) => [from, to]),
  ])
  const placed = zones.filter(isPlaced)
  const focus = [...placed.filter(({ Name }) => named.has(Name)), ...pins]
  return focus.length > 0 ? focus : placed
}

/** Lays out a map of this size. */
export function layoutOf(
  content: MapContent,
  distance: Distance,
  { toPoint }: Projection,
  size: Size,
): Layout {
  const { zones, way = [], jobs = [], pins = [], counts, marked } = content
  const placed = zones.filter(isPlaced).map((zone) => ({ ...zone, ...toPoint(zone) }))
  const at = new Map(placed.map((zone) => [zone.Name, zone]))
  const route = routeOver(zones, distance, way)
  const ends = new Set([...way, ...jobs.flatMap(({ from, to }) => [from, to]), marked])
  const dots = placed.map(({ Name, x, y }) => {
    const [isStrong, count] = [ends.has(Name), counts?.get(Name) || undefined]
    const radius = count ? 10 * (size.text ?? 1) : isStrong ? 5 : 3
    return { name: Name, x, y, radius, isStrong, count }
  })
  const drawnPins = pins.map(({ label, ...pin }) => ({ label, ...toPoint(pin) }))
  const curves = curvesOf(jobs, at)
  const badges = badgesOf(curves, size)
  const rank = new Map(placed.map(({ Name, roads = [] }) => [Name, roads.length]))
  const importance = (name: string) =>
    (ends.has(name) ? 1e6 : 0) +
    (route.includes(name) ? 1e4 : 0) +
    (counts?.get(name) ?? 0) * 1e2 +
    (rank.get(name) ?? 0)
  const inside = dots.filter(({ x, y }) => x >= 0 && y >= 0 && x <= size.width && y <= size.height)
  const byImportance = inside.sort((a, b) => importance(b.name) - importance(a.name))
  const isEnd = ({ isStrong }: Dot) => isStrong
  const named = [
    ...byImportance.filter(isEnd),
    ...drawnPins.map(pinName),
    ...byImportance.filter((dot) => !isEnd(dot)),
  ]
  return {
    sea: seaOf(toPoint, size),
    roads: placed
      .flatMap((zone) =>
        (zone.roads ?? []).flatMap(({ to }) => {
          const end = at.get(to)
          return end && zone.Name < to ? lineOf([zone, end]) : []
        }),
      )
      .join(''),
    way: lineOf(route.flatMap((name) => at.get(name) ?? [])),
    dots,
    arrows: curves.map(arrowOf),
    badges,
    pins: drawnPins,
    names: namesOf(named, badges, size),
  }
}

const pinName = ({ label, x, y }: { label: string } & Point) => ({
  name: label,
  x,
  y: y - 8,
  radius: 5,
  isStrong: true,
})

/* Names. */

/** Pixels of the usual size; a name is about so wide for each of its characters, bold ones a little wider. */
const letters = { height: 14, ascent: 11, character: 6.5, bold: 7.3 }

/** Each name at the first free place around its dot, the important ones first; one without a place is left out. */
function namesOf(
  dots: readonly Dot[],
  badges: readonly Box[],
  { width, height, text = 1 }: Size,
): Layout['names'] {
  const taken: Omit<Box, 'text'>[] = [...badges, ...dots.map(around)]
  return dots.flatMap((dot) => {
    const size = {
      width: dot.name.length * (dot.isStrong ? letters.bold : letters.character) * text,
      height: letters.height * text,
    }
    const free = placesAround(dot, size).find(
      (box) =>
        box.x >= 2 &&
        box.y >= 2 &&
        box.x + box.width <= width - 2 &&
        box.y + box.height <= height - 2 &&
        !taken.some((other) => overlap(box, other)),
    )
    if (!free) return []
    taken.push(free)
    const { anchor, at } = free
    return {
      name: dot.name,
      x: at,
      y: free.y + letters.ascent * text,
      anchor,
      isStrong: dot.isStrong,
    }
  })
}

const around = ({ x, y, radius }: Dot): Omit<Box, 'text'> => ({
  x: x - radius,
  y: y - radius,
  width: 2 * radius,
  height: 2 * radius,
})

function placesAround(dot: Dot, { width, height }: Size) {
  const gap = dot.radius + 2
  const [left, middle, right] = [dot.x - gap - width, dot.x - width / 2, dot.x + gap]
  const [above, beside, below] = [dot.y - gap - height + 2, dot.y - height / 2, dot.y + gap - 2]
  const places: [Anchor, number][] = [
    ['start', beside],
    ['end', beside],
    ['middle', above],
    ['middle', below],
    ['start', above],
    ['end', above],
    ['start', below],
    ['end', below],
  ]
  const across = {
    start: { x: right, at: right },
    middle: { x: middle, at: dot.x },
    end: { x: left, at: dot.x - gap },
  }
  return places.map(([anchor, y]) => ({ ...across[anchor], anchor, y, width, height }))
}

const overlap = (a: Omit<Box, 'text'>, b: Omit<Box, 'text'>) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/* Jobs. */

type Curve = { from: Point; bend: Point; to: Point; labels: string[] }

/** One curve for each route, which bends to the right of its direction: there and back do not cover each other. */
function curvesOf(jobs: MapContent['jobs'], at: ReadonlyMap<string, Point>): Curve[] {
  const curves = new Map<string, Curve>()
  for (const [index, { from, to, label = `${index + 1}` }] of (jobs ?? []).entries()) {
    const [start, end] = [at.get(from), at.get(to)]
    if (!start || !end) continue
    const curve = curves.get(`${from}|${to}`) ?? curveBetween(start, end)
    if (label) curve.labels.push(label)
    curves.set(`${from}|${to}`, curve)
  }
  return [...curves.values()]
}

function curveBetween(start: Point, end: Point): Curve {
  const [dx, dy] = [end.x - start.x, end.y - start.y]
  const length = Math.hypot(dx, dy) || 1
  const bow = Math.min(0.25 * length, 36) / length
  const bend = { x: (start.x + end.x) / 2 - dy * bow, y: (start.y + end.y) / 2 + dx * bow }
  return { from: towards(start, bend, 6), bend, to: towards(end, bend, 7), labels: [] }
}

/** So many pixels from a point on the way to another. */
function towards(from: Point, to: Point, pixels: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1
  const share = Math.min(pixels / length, 0.4)
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}

function arrowOf({ from, bend, to }: Curve): Layout['arrows'][number] {
  const back = towards(to, bend, 9)
  const [dx, dy] = [(to.y - back.y) / 2, (back.x - to.x) / 2]
  const corners = [to, { x: back.x + dx, y: back.y + dy }, { x: back.x - dx, y: back.y - dy }]
  return {
    line: `M${pair(from)}Q${pair(bend)} ${pair(back)}`,
    head: `${lineOf(corners)}Z`,
  }
}

/** The numbers of each curve, in its middle or, where another stands there, a bit along it. */
function badgesOf(curves: readonly Curve[], { text = 1 }: Size): Box[] {
  const badges: Box[] = []
  for (const { from, bend, to, labels } of curves) {
    if (labels.length === 0) continue
    const label = labels.join(', ')
    const [width, height] = [Math.max(15, label.length * 6 + 6) * text, 15 * text]
    const places = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].map((share) => ({
      x: onCurve(from.x, bend.x, to.x, share) - width / 2,
      y: onCurve(from.y, bend.y, to.y, share) - height / 2,
      width,
      height,
      text: label,
    }))
    const free = places.find((box) => !badges.some((other) => overlap(box, other))) ?? places[0]
    if (free) badges.push(free)
  }
  return badges
}

const onCurve = (from: number, bend: number, to: number, share: number) =>
  (1 - share) ** 2 * from + 2 * share * (1 - share) * bend + share ** 2 * to

/* Lines. */

function seaOf(toPoint: Projection['toPoint'], { width, height }: Size): string {
  const line = shore.map(([lat, lng]) => toPoint({ lat, lng }))
  const [first, last] = [line[0], line.at(-1)]
  const isSeen = line.some(({ x, y }) => x >= 0 && x <= width && y >= 0 && y <= height)
  if (!first || !last || !isSeen) return ''
  const bottom = Math.max(height, ...line.map(({ y }) => y)) + 9
  return `${lineOf([...line, { x: last.x, y: bottom }, { x: first.x, y: bottom }])}Z`
}

const lineOf = (points: readonly Point[]) =>
  points.length < 2 ? '' : `M${points.map(pair).join('L')}`
const pair = ({ x, y }: Point) => `${round(x, 1)} ${round(y, 1)}`

const round = (value: number, decimals: number) => Number(value.toFixed(decimals))
const rangeOf = (values: readonly number[]): [number, number] => [
  Math.min(...values),
  Math.max(...values),
]
