import { personas, portraitOf } from '../simulation/personas.ts'
import type { PersonaOption } from '../ui/demo-context.ts'

const roles: Record<PersonaOption['key'], string> = {
  guest: 'Guest',
  sender: 'Sender',
  driver: 'Driver',
  pending: 'Pending driver',
  admin: 'Admin',
}

/** Everybody the visitor can be, in the order of the bar. */
export const personaOptions: readonly PersonaOption[] = Object.values(personas).map(
  ({ key, name, about }) => ({
    ...{ key, name, about, role: roles[key] },
    face: `data:image/svg+xml,${encodeURIComponent(portraitOf(key))}`,
  }),
)
