import { characters, faceOf } from '../simulation/personas.ts'
import type { Player } from '../ui/demo-context.ts'

const roles: Record<Player['key'], string> = {
  guest: 'Guest',
  sender: 'Sender',
  driver: 'Driver',
  pending: 'Pending driver',
  admin: 'Admin',
}

/** Everybody the visitor can be, in the order of the bar. */
export const players: readonly Player[] = Object.values(characters).map(({ key, name, about }) => ({
  ...{ key, name, about, role: roles[key] },
  face: `data:image/svg+xml,${encodeURIComponent(faceOf(key))}`,
}))
