import { Dexie, type EntityTable } from 'dexie'
import { storedImage } from '#server/photos/stored-image.ts'
import type { PaymentOutcome, ProviderLine } from '#server/ports/payment-provider.ts'
import type { ImageStore, Sms, SmsMessage } from '#server/ports/ports.ts'

/** `at`: milliseconds. */
type StoredText = SmsMessage & { id: number; at: number }

/**
 * A line in the book of the demo's payment provider. `at` and `promptedAt`: milliseconds; `promptedAt`: while the visitor
 * has not answered the prompt of a charge. `charge`: of a refund, the reference of what it gives back.
 */
export type BookLine = ProviderLine &
  Pick<PaymentOutcome, 'message'> & {
    at: number
    phone?: string
    promptedAt?: number
    charge?: string
  }

/**
 * What all tabs of the demo share beside its server's database: photos, which the service worker
 * serves (sw/demo-photos.ts), the texts that were sent, and the payment provider's book.
 */
export class DemoDb extends Dexie {
  declare photos: EntityTable<{ name: string; bytes: Uint8Array }, 'name'>
  declare texts: EntityTable<StoredText, 'id'>
  declare payments: EntityTable<BookLine, 'reference'>

  /** The name ends in `box`, as earlier versions named it. */
  constructor(storagePrefix: string) {
    // A live query over Dexie's cache hears of no change where the build left the cache out.
    super(`${storagePrefix}box`, { cache: 'disabled' })
    this.version(1).stores({ photos: 'name', texts: '++id' })
    this.version(2).stores({ payments: 'reference, promptedAt' })
  }
}

/** Photos in the demo's database. None is private, because one visitor owns them all. */
export const demoImages = ({ photos }: DemoDb): ImageStore => ({
  put: async (name, bytes) => {
    await photos.put({ name, bytes })
  },
  open: async (name) => {
    const bytes = (await photos.get(name))?.bytes
    return bytes && storedImage(new Uint8Array(bytes))
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

const mostTexts = 50

/** Puts texts into the demo's inbox, which keeps the newest 50. */
export const demoSms = ({ texts }: DemoDb, clock: () => number): Sms => ({
  send: async (text) => {
    await texts.add({ ...text, at: clock() })
    const old = await texts.orderBy('id').reverse().offset(mostTexts).primaryKeys()
    await texts.bulkDelete(old)
  },
})
