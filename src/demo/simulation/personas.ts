import { face, type Look } from '../pictures/faces.ts'

/** Whom a visitor of the demo can be. */
export type CharacterKey = 'guest' | 'sender' | 'driver' | 'pending' | 'admin'
export type Character = {
  key: CharacterKey
  name: string
  /** What they are here, in a few words. */
  about: string
  phone: string
  /** The guest has no account: neither of these. */
  id?: string
  email?: string
  look: Look
}

/** Opens every account of the demo. */
export const demoPassword = 'akwaaba-demo'

export const personId = (place: number): string =>
  `5041a000-0000-7000-8000-${String(place).padStart(12, '0')}`

/** By their first and last name. */
export const emailOf = (name: string): string =>
  `${name.toLowerCase().replace(/ .* | /, '.')}@example.com`

export const characters = {
  guest: {
    ...{ key: 'guest', name: 'Esi Quansah', phone: '0240001957' },
    about: 'Sends a parcel without an account',
    look: { hair: 'afro', skin: 1, wear: 5 },
  },
  sender: {
    ...{ key: 'sender', name: 'Akosua Mensah', phone: '0200001483', id: personId(1) },
    ...{ email: 'akosua@example.com', about: 'Sells cloth at Makola, sends it to customers' },
    look: { hair: 'wrap', skin: 2, wear: 1 },
  },
  driver: {
    ...{ key: 'driver', name: 'Yaw Boateng', phone: '0550002764', id: personId(2) },
    ...{ email: 'yaw@example.com', about: 'Drives Tema to Circle, and takes parcels along' },
    look: { hair: 'fade', skin: 3, wear: 3, more: ['beard'] },
  },
  pending: {
    ...{ key: 'pending', name: 'Fuseini Alhassan', phone: '0260003190', id: personId(3) },
    ...{ email: 'fuseini@example.com', about: 'Applied to drive, waits for approval' },
    look: { hair: 'kufi', skin: 4, wear: 2 },
  },
  admin: {
    ...{ key: 'admin', name: 'Naa Dedei Lamptey', phone: '0200000000', id: personId(4) },
    ...{ email: 'admin@soma.local', about: 'Looks after the platform' },
    look: { hair: 'bun', skin: 1, wear: 6, more: ['glasses'] },
  },
} as const satisfies Record<CharacterKey, Character>

/** A character's portrait as a whole SVG. */
export const faceOf = (key: CharacterKey): string => face(characters[key].look)
