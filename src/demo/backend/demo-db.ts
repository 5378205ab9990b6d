import { Dexie, type EntityTable } from 'dexie'
import type { ImageStore, Sms, SmsMessage, StoredImage } from '#server/ports/ports.ts'

export type KeptText = SmsMessage & { id: number; at: number }

/**
 * What the demo keeps beside its server's database, for all its tabs: photos (the service worker
 * answers for them, sw/demo-photos.ts) and the texts that were sent.
 */
export class DemoBox extends Dexie {
  declare photos: EntityTable<{ name: string; bytes: Uint8Array }, 'name'>
  declare texts: EntityTable<KeptText, 'id'>

  constructor(apart: string) {
    super(`${apart}box`)
    this.version(1).stores({ photos: 'name', texts: '++id' })
  }
}

/** Everything in the demo is one visitor's, so nothing in it is kept from anybody. */
export const boxedImages = ({ photos }: DemoBox): ImageStore => ({
  put: async (name, bytes) => {
    await photos.put({ name, bytes })
  },
  open: async (name) => {
    const bytes = (await photos.get(name))?.bytes
    return bytes && imageOf(new Uint8Array(bytes))
  },
  hide: async () => undefined,
  copyToPrivate: async (from, to) => {
    const found = await photos.get(from)
    if (found) await photos.put({ ...found, name: to })
    return found !== undefined
  },
  remove: (name) => photos.delete(name),
  holdsDrawings: true,
  async *list() {
    const names = await photos.toCollection().primaryKeys()
    yield names.map((name) => ({ name, isPrivate: false, changedAt: 0 }))
  },
  freeBytes: async () => Number.POSITIVE_INFINITY,
})

export const imageOf = (bytes: Uint8Array<ArrayBuffer>): StoredImage => ({
  size: bytes.length,
  stream: () => new Blob([bytes]).stream(),
})

/** A phone's own inbox holds as many. */
const mostTexts = 50

export const boxedSms = ({ texts }: DemoBox, clock: () => number): Sms => ({
  send: async (text) => {
    await texts.add({ ...text, at: clock() })
    const old = await texts.orderBy('id').reverse().offset(mostTexts).primaryKeys()
    await texts.bulkDelete(old)
  },
})
