import { defaultItems, defaultZones } from '#domain/choices.ts'
import { items, zones } from '#store/queries/queries.ts'
import { useLive } from './use-live.ts'

const sources = {
  zones: { read: zones, defaults: defaultZones },
  items: { read: items, defaults: defaultItems },
} as const

/**
 * The names of zones or item types; the default ones until the server's are loaded. The default ones keep
 * their order then, so that nothing moves on the screen.
 */
export function useChoices(of: keyof typeof sources): readonly string[] {
  const { read, defaults } = sources[of]
  const loaded = useLive(read)
  if (!loaded || loaded.length === 0) return defaults
  const names = loaded.map(({ Name }) => Name)
  const first: readonly string[] = defaults.filter((name) => names.includes(name))
  return [...first, ...names.filter((name) => !first.includes(name))]
}
