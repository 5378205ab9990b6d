import { v7 } from 'uuid'
import { emptyDraft, type SendDraft } from '#domain/deliveries/draft.ts'
import type { User } from '#domain/users/user.ts'
import { createCommands } from '#store/commands/commands.ts'
import { SomaDb } from '#store/soma-db.ts'
import { createWaits } from '#sync/outbox/waits.ts'

/** A database of its own and its commands, without the engine that sends. */
export function createDevice(name = `device-${v7()}`) {
  const db = new SomaDb(name)
  const commands = createCommands({
    db,
    now: () => Date.now(),
    waits: createWaits({ now: Date.now, monotonic: Date.now }),
    newId: v7,
    loadLazy: () => import('#store/commands/lazy-commands.ts'),
  })
  return { db, commands }
}

export const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46]).buffer

/** A number of their own: nobody carries what is sent from or to theirs (R136). */
const phoneOf = (ID: string) =>
  `020${[...ID].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 10_000_000, 7)}`.padEnd(
    10,
    '0',
  )

export const person = (ID: string, role: User['role'], more: Partial<User> = {}): User => ({
  ID,
  name: ID,
  email: `${ID}@example.com`,
  phone_number: phoneOf(ID),
  role,
  Verified: true,
  ...more,
})

export const signIn = (db: SomaDb, user: User, token = `token-of-${user.ID}`) =>
  db.sessions.put({ key: 'current', account: user.ID, token, user })

let guests = 0
/** Each of another guest, because a number that is not confirmed has few open requests (R151). */
const newGuestPhone = () => `0249${String(100_000 + ++guests)}`

/** A filled-in send form whose photo is in this device's database. */
export async function filledDraft(
  commands: { savePhoto: (bytes: ArrayBuffer, type: string) => Promise<string> },
  change: Partial<SendDraft> = {},
): Promise<SendDraft> {
  return {
    ...emptyDraft,
    itemDescription: 'Laptop',
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    recipientName: 'Abena',
    recipientPhone: '0244123456',
    offer: '60',
    senderName: 'Ama',
    senderPhone: newGuestPhone(),
    photo: await commands.savePhoto(jpeg, 'image/jpeg'),
    ...change,
  }
}
