import * as z from 'zod/mini'
import { fold } from './fold.ts'

/** An entry of one of the two lists people choose from: a zone, or an item type. */
export const Choice = z.object({ ID: z.string(), Name: z.string() })
export type Choice = z.infer<typeof Choice>

/** What an empty server starts with. */
export const defaultZones = [
  'Accra Central',
  'Osu',
  'Labone',
  'Cantonments',
  'Airport Residential Area',
  'East Legon',
  'Madina',
  'Adenta',
  'Tema',
  'Spintex',
  'Circle',
  'Kaneshie',
  'Dansoman',
  'Achimota',
  'Legon Campus',
  'Dzorwulu',
  'Roman Ridge',
  'Tesano',
] as const

/** What an empty server starts with. */
export const defaultItems = [
  'Documents',
  'Small Box',
  'Medium Box',
  'Large Box',
  'Laptop',
  'Phone',
  'Groceries',
  'Clothing',
  'Food',
  'Medication',
  'Keys',
  'Other',
] as const

/** The list with one of it at another place; 1, or less, is the first (R207). */
export function movedTo<C extends Choice>(choices: readonly C[], id: string, place: number): C[] {
  const moved = choices.filter(({ ID }) => ID === id)
  const others = choices.filter(({ ID }) => ID !== id)
  others.splice(Math.max(0, place - 1), 0, ...moved)
  return others
}

/** Whether two names are the same, trimmed and folded (R86). */
export const sameName = (a: string, b: string): boolean => fold(a.trim()) === fold(b.trim())

/** Whether this name may be added to the list: not empty, and not there yet (R86). */
export const canAdd = (name: string, choices: readonly { Name: string }[]): boolean =>
  name.trim() !== '' && !choices.some((choice) => sameName(choice.Name, name))
