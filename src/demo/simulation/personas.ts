import { type Appearance, portraitSvg } from '../pictures/faces.ts'

/** The people a visitor of the demo can act as. */
export type PersonaKey = 'guest' | 'sender' | 'driver' | 'pending' | 'admin'
type Persona = {
  key: PersonaKey
  name: string
  /** What the person does in the demo, in a few words. */
  about: string
  phone: string
  /** The guest has no account, so neither an ID nor an e-mail address. */
  id?: string
  email?: string
  look: Appearance
}

/** The password of every account of the demo. */
export const demoPassword = 'akwaaba-demo'

/** A fixed account ID, so that each build of the city gives a person the same one. */
export const accountId = (number: number): string =>
  `5041a000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** An address made of the first and the last name. */
export const emailOf = (name: string): string =>
  `${name.toLowerCase().replace(/ .* | /, '.')}@example.com`

export const personas = {
  guest: {
    key: 'guest',
    name: 'Esi Quansah',
    phone: '0240001957',
    about: 'Sends a parcel without an account',
    look: { hair: 'afro', skin: 1, outfit: 5 },
  },
  sender: {
    key: 'sender',
    name: 'Akosua Mensah',
    phone: '0200001483',
    id: accountId(1),
    email: 'akosua@example.com',
    about: 'Sells cloth at Makola, sends it to customers',
    look: { hair: 'wrap', skin: 2, outfit: 1 },
  },
  driver: {
    key: 'driver',
    name: 'Yaw Boateng',
    phone: '0550002764',
    id: accountId(2),
    email: 'yaw@example.com',
    about: 'Drives Tema to Circle, and takes parcels along',
    look: { hair: 'fade', skin: 3, outfit: 3, extras: ['beard'] },
  },
  pending: {
    key: 'pending',
    name: 'Fuseini Alhassan',
    phone: '0260003190',
    id: accountId(3),
    email: 'fuseini@example.com',
    about: 'Applied to drive, waits for approval',
    look: { hair: 'kufi', skin: 4, outfit: 2 },
  },
  admin: {
    key: 'admin',
    name: 'Naa Dedei Lamptey',
    phone: '0200000000',
    id: accountId(4),
    email: 'admin@soma.local',
    about: 'Looks after the platform',
    look: { hair: 'bun', skin: 1, outfit: 6, extras: ['glasses'] },
  },
} as const satisfies Record<PersonaKey, Persona>

/** A persona's portrait as a whole SVG. */
export const portraitOf = (key: PersonaKey): string => portraitSvg(personas[key].look)
