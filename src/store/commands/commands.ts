import type { SendDraft } from '#domain/deliveries/draft.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { createGroupCommit } from '#sync/database/group-commit.ts'
import type { Waits } from '#sync/outbox/waits.ts'
import { pinPhoto } from '../deliveries/photos/pinned-photos.ts'
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
  /** Runs each command: frees space on a full phone (S26). */
  run?: <T>(command: () => Promise<T>) => Promise<T>
}

type Commands = ReturnType<typeof createDraftCommands> & LazyCommands

/**
 * Everything a person can do. A command that queues writes the row and the outbox entry in one
 * transaction and resolves when both are durable; it throws the rule's `Refusal` when the rule
 * forbids at once what the person asked.
 */
export function createCommands({ db, now, waits, newId, loadLazy, run }: About): Commands {
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
    db.payouts,
    db.ownSessions,
  ]
  const write = createGroupCommit(db, tables)
  const newEntry = entryMaker(newId, () => new Date(now()).toISOString())
  const drafts = createDraftCommands({ db, now, newId })
  let all: Commands | undefined
  const load = async (): Promise<Commands> => {
    const { createLazyCommands } = await loadLazy()
    all ??= { ...drafts, ...createLazyCommands({ db, now, waits, newId, write, newEntry }) }
    return all
  }
  return lazyMethods<Commands>(
    async (name) => (name in drafts ? (drafts as Commands) : await load()),
    run,
  )
}

/** What the form of a request does as the person types: loaded with the first page. */
const createDraftCommands = ({ db, now, newId }: Pick<About, 'db' | 'now' | 'newId'>) => ({
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
  savePhoto: async (bytes: ArrayBuffer, type: string): Promise<string> => {
    const id = newId()
    pinPhoto(db, id)
    await db.transaction('rw', [db.photos, db.sessions], async () => {
      const account = await currentAccount(db)
      await db.photos.add({ id, account, bytes, type, keptAt: now(), redrawn: true })
    })
    return id
  },
})
