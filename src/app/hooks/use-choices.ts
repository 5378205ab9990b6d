import { defaultItems, defaultZones } from '#domain/choices.ts'
import { items, zones } from '#store/queries/queries.ts'
import { useLive } from './use-live.ts'

const sources = {
  zones: { read: zones, defaults: defaultZones },
  items: { read: items, defaults: defaultItems },
} as const

/**
 * The names of zones or item types; the default ones until the server's are loaded, and first also then: a
 * name stays in its place.
 */
export function useChoices(of: keyof typeof sources): readonly string[] {
  const { read, defaults } = sources[of]
  const loaded = useLive(read, [of])
  if (!loaded || loaded.length === 0) return defaults
  const names = loaded.map(({ Name }) => Name)
  const known: readonly string[] = defaults
  const added = names.filter((name) => !known.includes(name))
  return [...known.filter((name) => names.includes(name)), ...added]
}
