import { defaultItems } from '#domain/choices.ts'
import { drawings } from './drawings.ts'

export type Item = (typeof defaultItems)[number]

export const items: readonly Item[] = defaultItems

/** The number of different pictures of each kind of item. */
export const variants = 4

/** A picture of an item on a table, as a whole SVG. */
export function itemPicture(item: Item, variant: number): string {
  const [wall, table, edge] = colourSet(interiors, variant + item.length)
  return svg(
    `<path fill="${wall}" d="M0 0h240v240H0z"/><path fill="#fff" opacity=".22" d="M24 0h70L10 160h-70zm98 0h34L72 160H38z"/>` +
      `<path fill="${table}" d="M0 158h240v82H0z"/><path fill="${edge}" d="M0 158h240v5H0z"/>` +
      `<ellipse cx="120" cy="205" rx="84" ry="15" fill="#14201a" opacity=".2"/>` +
      mirroredIf(drawn(item, variant), variant % 2 === 1),
  )
}

/** A proof of delivery, a picture of the item at a door, as a whole SVG. */
export function proofPicture(item: Item, variant: number): string {
  const [wall, ground, edge] = colourSet(interiors, variant + 2)
  const [door, panel] = colourSet(doors, variant)
  return svg(
    `<path fill="${wall}" d="M0 0h240v240H0z"/><path fill="${ground}" d="M0 184h240v56H0z"/><path fill="${edge}" d="M0 184h240v5H0z"/>` +
      `<path fill="#fbf7ee" d="M66 14h108v172H66z"/><path fill="${door}" d="M74 22h92v164H74z"/>` +
      `<path fill="${panel}" d="M84 32h32v58H84zm40 0h32v58h-32zM84 102h32v70H84zm40 0h32v70h-32z"/><circle cx="158" cy="104" r="5" fill="#f4b731"/>` +
      `<rect x="186" y="60" width="30" height="20" rx="4" fill="#0b6b45"/><path stroke="#fff" stroke-width="3" d="M193 70h16"/>` +
      `<path fill="#7a4d2a" d="M48 204h144l14 26H34z"/><path stroke="#f4b731" stroke-width="4" stroke-dasharray="9 7" d="M44 217h152"/>` +
      `<g transform="translate(51 98) scale(.58)">${drawn(item, variant)}</g>`,
  )
}

const svg = (drawing: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="480" viewBox="0 0 240 240">${drawing}</svg>`

function drawn(item: Item, variant: number) {
  const { shape, colours } = drawings[item]
  const [a, b, c] = colourSet(colours, variant)
  return shape.replaceAll('$a', a).replaceAll('$b', b).replaceAll('$c', c)
}

const mirroredIf = (drawing: string, mirrored: boolean) =>
  mirrored ? `<g transform="matrix(-1 0 0 1 240 0)">${drawing}</g>` : drawing

/** The set of three colours at this index of a list as in `drawings`; indexes wrap round. */
function colourSet(list: string, index: number): [string, string, string] {
  const sets = list.split(' ')
  const set = sets[index % sets.length] ?? ''
  const colour = (at: number) => `#${set.slice(at * 3, at * 3 + 3)}`
  return [colour(0), colour(1), colour(2)]
}

/** The colours of wall, table and the table's edge. */
const interiors = 'cdca74853 eda853742 bdca85742 ed9777555 dcbb86964 cdd964753 fea974753'
/** The colours of a door and of its panels. */
const doors = '064042000 b42931000 246134000 853742000'
