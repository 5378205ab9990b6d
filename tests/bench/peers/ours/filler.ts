import { v7 } from 'uuid'
import { createCommands } from '#store/commands/commands.ts'
import { SomaDb } from '#store/soma-db.ts'
import { unsentStates } from '#sync/database/entry.ts'
import { createWaits } from '#sync/outbox/waits.ts'
import { askAt } from '../rows.ts'
import { draftAt } from './phone.ts'

/* A second tab beside the app: it queues requests by the app's own commands, and looks when none is left. */

const db = new SomaDb('soma')
const commands = createCommands({
  db,
  waits: createWaits({ now: Date.now, monotonic: Date.now }),
  now: () => Date.now(),
  newId: v7,
  loadLazy: () => import('#store/commands/lazy-commands.ts'),
})

/** Queues so many requests of a guest, whose photo the server at `origin` has already. */
async function fill(count: number, origin: string): Promise<number> {
  const photo = await commands.savePhoto(new ArrayBuffer(64), 'image/jpeg')
  const name = new URL(askAt(0).itemPhoto).pathname
  await db.photos.update(photo, { url: `${origin}${name}` })
  const numbers = Array.from({ length: count }, (_, each) => each)
  await Promise.all(numbers.map((each) => commands.requestDelivery(draftAt(each, photo), 'guest')))
  return unsent()
}

/** Entries that still mean to reach the server. */
const unsent = () => db.outbox.where('state').anyOf(unsentStates).count()

/** Resolves when nothing is left to be sent. */
async function empty(): Promise<void> {
  while ((await unsent()) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
}

const filler = { fill, empty }
export type Filler = typeof filler
Object.assign(globalThis, { filler })
