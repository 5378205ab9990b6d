import * as z from 'zod/mini'

/** An entry of one of the two lists people choose from: a zone, or an item type (spec §3). */
export const Choice = z.object({ ID: z.string(), Name: z.string() })
export type Choice = z.infer<typeof Choice>
export const Zone = Choice
export type Zone = Choice
export const ItemType = Choice
export type ItemType = Choice

/** Spec §9. */
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

/** Spec §9. */
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

/** Names are compared trimmed and without regard to case (spec §5, settings add form). */
export const sameName = (a: string, b: string): boolean =>
  a.trim().toLowerCase() === b.trim().toLowerCase()

export const canAdd = (name: string, choices: readonly { Name: string }[]): boolean =>
  name.trim() !== '' && !choices.some((choice) => sameName(choice.Name, name))
