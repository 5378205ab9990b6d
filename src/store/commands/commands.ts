import type { SendDraft } from '#domain/deliveries/draft.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { createGroupCommit } from '#sync/database/group-commit.ts'
import type { Waits } from '#sync/outbox/waits.ts'
import { holdPhoto } from '../deliveries/photos/held-photos.ts'
import { deliveryTables } from '../deliveries/tables.ts'
import { entryMaker } from '../entries/new-entry.ts'
import { lazyMethods } from '../lazy-methods.ts'
import { currentAccount } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import type { CommandContext } from './context.ts'
import type { LazyCommands } from './lazy-commands.ts'

type About = {
  db: SomaDb
  /** Milliseconds since 1970. */
  now: () => number
  waits: Waits
  /** UUIDv7. */
  newId: () => string
  /** The part of the app that a visitor's first page does without. */
  loadLazy: () => Promise<{ createLazyCommands: (context: CommandContext) => LazyCommands }>
}

/**
 * Everything a person can do. A command that queues writes the row and the outbox entry in one
 * transaction and resolves when both are durable; it throws the rule's `Refusal` when the rule
 * forbids at once what the person asked.
 */
export function createCommands({ db, now, waits, newId, loadLazy }: About) {
  const tables = [
    db.outbox,
    ...deliveryTables(db),
    db.drafts,
    db.places,
    db.zones,
    db.items,
    db.users,
    db.drivers,
    db.disputes,
    db.ownSessions,
  ]
  const write = createGroupCommit(db, tables)

  const newEntry = entryMaker(newId, () => new Date(now()).toISOString())
  const context = { db, now, waits, newId, write, newEntry }
  let loaded: LazyCommands | undefined
  const lazyCommands = lazyMethods(async () => {
    const { createLazyCommands } = await loadLazy()
    loaded ??= createLazyCommands(context)
    return loaded
  }, lazyNames)

  return {
    /** Called as the person types; its own small writes never wait for the outbox's. */
    saveDraft: async (draft: SendDraft): Promise<void> => {
      const account = await currentAccount(db)
      await db.drafts.put({ account, kind: 'send', value: draft })
      // Whoever has logged out meanwhile leaves nothing more behind (S38).
      if (account !== guestAccount && (await currentAccount(db)) !== account)
        await db.drafts.delete([account, 'send'])
    },

    clearDraft: async (): Promise<void> => db.drafts.delete([await currentAccount(db), 'send']),

    /**
     * Writes the bytes of a photo, which this app has drawn itself, and resolves once they are durable:
     * show the preview only then.
     */
    keepPhoto: async (bytes: ArrayBuffer, type: string): Promise<string> => {
      const id = newId()
      holdPhoto(db, id)
      await db.transaction('rw', [db.photos, db.sessions], async () => {
        const account = await currentAccount(db)
        await db.photos.add({ id, account, bytes, type, keptAt: now(), redrawn: true })
      })
      return id
    },

    ...lazyCommands,
  }
}

/**
 * The names of `createLazyCommands`' methods, which are needed before its code is loaded. TypeScript fails where one is
 * missing or too many.
 */
const lazyNames = Object.keys({
  acceptDelivery: true,
  pickUpDelivery: true,
  approveDelivery: true,
  completeDelivery: true,
  proveHandover: true,
  releaseJob: true,
  contestPickUp: true,
  reportAttempt: true,
  startReturn: true,
  confirmReturn: true,
  renewCode: true,
  rateDelivery: true,
  changeDriverCard: true,
  chooseNotifications: true,
  changeDataSaver: true,
  changeNotifications: true,
  requestDelivery: true,
  retry: true,
  discard: true,
  stopTrying: true,
  discardAll: true,
  editAndResend: true,
  sendAgain: true,
  reportIssue: true,
  changePhone: true,
  keepPhone: true,
  endSession: true,
  reviewDriver: true,
  reviewLicence: true,
  resolveDispute: true,
  addZone: true,
  removeZone: true,
  addItem: true,
  removeItem: true,
  logToConsole: true,
  attachProof: true,
  cancelDelivery: true,
  sawOutcomes: true,
  sawAnnouncements: true,
  forgetSetAside: true,
  restoreSetAside: true,
  forgetGuestRecord: true,
  rememberRoute: true,
  forgetPlace: true,
} satisfies Record<keyof LazyCommands, true>) as (keyof LazyCommands)[]
