import type { Table } from 'dexie'
import { z } from 'zod/mini'
import type { Transport } from '#contract/transport.ts'
import { errorFrom, Unreachable } from '#contract/wire-errors.ts'
import { EngineDb } from '#sync/database/engine-db.ts'
import { isUnsent, type OutboxEntry } from '#sync/database/entry.ts'
import { type Write, writeInParts } from '#sync/database/write-in-parts.ts'
import { createEngine } from '#sync/engine/engine.ts'
import { createLazyEngine } from '#sync/lazy-engine.ts'
import { savePulled } from '#sync/lists/pulls.ts'
import type { LazyModel, Model, RowChanges, SendModel } from '#sync/model.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import type { Environment } from '#sync/platform/environment.ts'

/*
 * A second product on the engine: notes that anybody may write and change. It registers one table, two
 * operations, a projection and a list, and nothing of deliveries.
 */

export type ServerNote = { id: string; text: string; version: number }
export type Note = { account: string; id: string; server?: ServerNote; text: string }
type Input = { id?: string; text: string; version?: number }

export class NotesDb extends EngineDb {
  declare notes: Table<Note, [string, string]>
  constructor(name: string) {
    super(name, 1, { notes: '[account+id]' })
  }
}

/** A note shows the text of its last pending entry, or else the server's. */
async function projectNotes(db: NotesDb, account: string, changes: RowChanges) {
  const known = new Map(((changes.serverRows ?? []) as ServerNote[]).map((note) => [note.id, note]))
  const changed = new Map((changes.entries ?? []).map((entry) => [entry.seq, entry]))
  const table = db.notes
  const writes: Write[] = []
  for (const id of new Set([...changes.lanes, ...known.keys()])) {
    const server = known.get(id) ?? (await db.notes.get([account, id]))?.server
    const entries = await db.outbox.where('[account+lane]').equals([account, id]).sortBy('seq')
    const pending = entries.map((entry) => changed.get(entry.seq) ?? entry).findLast(isUnsent)
    const text = pending ? (pending.input as Input).text : server?.text
    if (text === undefined) writes.push({ table, deleted: [account, id] })
    else writes.push({ table, row: { account, id, server, text } })
  }
  return writes
}

async function request(
  { transport, base, clock }: SyncContext,
  method: string,
  { id: key, lane, input }: OutboxEntry,
) {
  const response = await fetchJson(transport, `${base}/notes/${lane}`, {
    method,
    body: JSON.stringify(input),
    headers: { 'idempotency-key': key, 'occurred-at': new Date(clock.now()).toISOString() },
  })
  return { rows: [response], staleLists: ['notes'], bytes: 1 }
}

async function fetchJson(transport: Transport, url: string, init?: RequestInit) {
  const response = await transport(new Request(url, init)).catch((cause: unknown) => {
    throw new Unreachable('No answer', { cause })
  })
  if (!response.ok) throw errorFrom(response.status, await response.json())
  return response.json()
}

const sendModel: SendModel = {
  operations: {
    createNote: { input: z.object({ text: z.string() }) },
    editNote: { input: z.object({ id: z.string(), text: z.string(), version: z.number() }) },
  },
  requests: {
    createNote: (context, entry) => request(context, 'POST', entry),
    editNote: (context, entry) => request(context, 'PUT', entry),
  },
  isShown: () => true,
  project: (db: NotesDb, account, changes) => projectNotes(db, account, changes),
  tables: (db: NotesDb) => [db.notes],
  subjectOf: ({ input }) => (input as Input).id,
  recordReplies: async () => {},
  moveRow: async () => {},
  invalidatedBy: async () => [],
  forgetRequests: async () => {},
  guestProofs: async () => new Map(),
  findGarbage: async () => [],
  deleteGarbage: async () => {},
  logout: async () => {},
}

export const lazyNotes: LazyModel = {
  ...sendModel,
  isPushed: () => false,
  routesOf: () => [],
  missedOfRoutes: { about: 'all' },
  savePushed: async () => [],
  unpushedLists: async () => [],
  guestListener: async () => undefined,
  affectedLists: async () => [],
  checkStored: async () => {},
  deleteOld: async () => {},
  follow: () => () => {},
}

const notes: Model = {
  subscriptions: async (_, watched) => watched,
  async pull(context: SyncContext<NotesDb>) {
    const { db, transport, base, clock } = context
    const every = 10_000
    try {
      const notes: ServerNote[] = await fetchJson(transport, `${base}/notes`)
      const save = async () => {
        const changes = { lanes: [], serverRows: notes }
        await writeInParts(await projectNotes(db, 'guest', changes))
      }
      const at = clock.now()
      const pulled = { account: 'guest', list: 'notes', at, before: undefined }
      await savePulled(db, { ...pulled, save, end: {} })
      return { result: 'fresh', every }
    } catch (error) {
      if (error instanceof Unreachable) return { result: 'unreachable', every }
      throw error
    }
  },
  hasRows: async () => false,
  hasUnsynced: async (db) => (await db.outbox.count()) > 0,
  hasGarbage: async (db) => (await db.outbox.count()) > 0,
  hasListener: async (db) => (await db.sessions.count()) > 0,
  owedAfter: ({ refused }) => (refused.size > 0 ? [{ kind: 'notes' }] : []),
  evict: async () => {},
  loadLazy: async () => createLazyEngine(lazyNotes),
}

/** The engine with notes registered. */
export const openNotes = (context: SyncContext<NotesDb>, environment: Environment) =>
  createEngine({ context, environment, model: notes })
