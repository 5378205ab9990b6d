import { type PersonaKey, personas, portraitOf } from '../simulation/personas.ts'
import type { PersonaOption } from '../ui/demo-context.ts'

const roles: Record<PersonaKey, string> = {
  guest: 'Guest',
  sender: 'Sender',
  driver: 'Driver',
  pending: 'Pending driver',
  admin: 'Admin',
}

/** The personas in the order of the bar. */
export const personaOptions: readonly PersonaOption[] = Object.values(personas).map(
  ({ key, name, about }) => ({
    key,
    name,
    about,
    role: roles[key],
    portrait: `data:image/svg+xml,${encodeURIComponent(portraitOf(key))}`,
  }),
)
