import type { CallInput } from '#contract/calls/call.ts'
import { reads } from '#contract/reads.ts'
import { Refused, Unreachable, Unreadable } from '#contract/wire-errors.ts'
import { guestAccount, type Pulled } from '#sync/database/engine-db.ts'
import { type ListRef, listKey } from '#sync/lists/list-ref.ts'
import { day, noteRefusedPull, pulledState, savePulled } from '#sync/lists/pulls.ts'
import {
  noteUnreadable,
  rowId,
  saveUnreadable,
  type UnreadableRows,
} from '#sync/lists/unreadable.ts'
import type { Pull } from '#sync/model.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import type { MonotonicTime } from '#sync/time.ts'
import { credentialsOfReader, type Reader } from '../account/reader.ts'
import type { PagesSoFar } from '../deliveries/save/account-rows.ts'
import { sayLost } from '../deliveries/save/lost.ts'
import { forgetRefusal } from '../deliveries/save/refused-delivery.ts'
import type { SomaDb } from '../soma-db.ts'
import { accountList } from './account-lists.ts'
import { adminList } from './admin-lists.ts'
import { forgetRefused } from './forget-refused.ts'
import { type List, sharedLists } from './lists.ts'
import { lostRequests } from './lost-requests.ts'
import { ask, type PulledPage, type PullResponse, type Rows, withoutResponse } from './pull.ts'
import { pullPages } from './pull-pages.ts'

/**
 * Asks the server for what changed in one list and saves it. The response is saved only if the same
 * person is still logged in, together with how far it reaches (S10, S38).
 */
export async function pullAnyList(context: SyncContext<SomaDb>, ref: ListRef): Promise<Pull> {
  const list = listOf(ref)
  const every = list?.every ?? 30_000
  const { reader, before } = (list && (await known(context.db, ref, list))) ?? {}
  if (!list || !reader) return { result: 'not-asked', every }
  const { account } = reader
  try {
    const askedAt = context.clock.monotonic()
    const question = { ...list.question, ...reader.question, ...since(list, before) }
    const asked = await ask(context, reads[list.op], question)
    const lost = await lostRequests(context, { ref, list, reader, before, askedAt }, asked)
    const response = isTooLong(list, asked)
      ? await ask(context, reads[list.op], { ...list.question, ...reader.question })
      : asked
    const pulling = { context, list, ref, account, before, askedAt, lost, first: response }
    const value = response.value as Rows | undefined
    if (list.over && before?.cursor && value && !value.removed)
      await pullAnyList(context, { kind: list.over })
    if (!value?.next || list.firstPage || !(list.whole || value.removed)) {
      const page = { response, pages: newPages(), last: true }
      const result = await savePage(pulling, page)
      if (ref.kind === 'delivery' && ref.id !== undefined)
        await forgetRefusal(context.db, account, ref.id)
      return { result, every }
    }
    const result = await pullPages({
      list,
      first: response,
      ask: (query) => ask(context, reads[list.op], withQuery(question, query)),
      save: (page) => savePage(pulling, page),
    })
    return { result, every }
  } catch (error) {
    return { ...(await failed(context, ref, reader, error)), every }
  }
}

/** The list of a kind; nothing when there is none. */
function listOf(ref: ListRef): List | undefined {
  if (Object.hasOwn(sharedLists, ref.kind)) return sharedLists[ref.kind]
  return ref.kind.startsWith('admin') ? adminList(ref) : accountList(ref)
}

/** Under whose name a list is asked for, and how far it has come for them: read in one transaction. */
function known(
  db: SomaDb,
  ref: ListRef,
  list: List,
): Promise<{ reader?: Reader; before?: Pulled }> {
  const tables = [db.sessions, db.guests, db.aliases, db.pulls, db.deliveries]
  return db.transaction('r', tables, async () => {
    const reader = await readerOf(db, ref, list)
    if (!reader) return {}
    const pulled = await pulledState(db, reader.account, listKey(ref))
    const isForgotten = await isOutdated(db, reader.account, ref, pulled)
    return { reader, before: isForgotten ? undefined : pulled }
  })
}

/** Nobody where there is nobody who may ask for the list. */
const readerOf = async (db: SomaDb, { kind, id }: ListRef, list: List) =>
  list.shared
    ? { account: '', question: {} }
    : ((await credentialsOfReader(db, kind === 'delivery' ? id : undefined)) ??
      (list.guests && { account: guestAccount, question: {} }))

const newPages = (): PagesSoFar => ({ seen: new Set() })

const withQuery = (question: CallInput, query: CallInput['query']): CallInput => ({
  ...question,
  query: { ...question.query, ...query },
  etag: undefined,
})

function since(list: List, before: Pulled | undefined): CallInput {
  // What was scrolled to a day ago is no longer looked at: the page that is held replaces it (S50).
  const { serverTime = 0, olderAt = serverTime } = before ?? {}
  if (list.firstPage && serverTime - olderAt > day) return {}
  if (list.withoutDelta) return { etag: before?.etag }
  const query = { ...list.question?.query, since: before?.cursor }
  return { etag: before?.etag, ...(before?.cursor ? { query } : {}) }
}

/** More has changed than the page that is held: the page in full is less to load (S50). */
function isTooLong(list: List, { value }: PullResponse): boolean {
  const { removed, next } = (value ?? {}) as Rows
  return list.firstPage === true && removed !== undefined && next !== undefined
}

/**
 * Whether "unchanged" would say too little of a delivery: another response has written its row since it was pulled, and
 * the server may have forgotten that (S79).
 */
async function isOutdated(
  db: SomaDb,
  account: string,
  { kind, id = '' }: ListRef,
  pulled: Pulled | undefined,
): Promise<boolean> {
  if (kind !== 'delivery' || !pulled?.etag) return false
  return (await db.deliveries.get([account, id]))?.serverAt !== pulled.serverAt
}

/** What is pulled for whom, and what was known of it. `first`: the response whose cursor counts. */
type Pulling = {
  context: SyncContext<SomaDb>
  list: List
  ref: ListRef
  account: string
  before: Pulled | undefined
  /** When it was asked for. */
  askedAt: MonotonicTime
  /** Keys of requests that the server has acknowledged and knows no more (S54). */
  lost: readonly string[]
  first: PullResponse
}

/** Rows and, with the last of them, how far they reach. */
async function savePage(
  { context, list, ref, account, before, askedAt, lost, first }: Pulling,
  { response, pages, last }: PulledPage,
): Promise<Pull['result']> {
  const { db, clock } = context
  const { value } = response
  const key = listKey(ref)
  const at = clock.now()
  const serverAt = clock.monotonic()
  const about = { account, pages, at, response: { account, askedAt, serverAt, now: at } }
  const unreadable = unreadableRows(response, key, response === first)
  // The phone keeps what it knew of a row that it cannot read: the list has it still.
  for (const row of unreadable.found) pages.seen.add(rowId(row))
  const { cursor } = (first.value ?? {}) as { cursor?: string }
  const serverTime = serverTimeOf(first, before)
  const save = async () => {
    // What is lost is said before its row leaves.
    if (response === first && lost.length > 0) await sayLost(db, lost, about.response)
    await list.save(db, value as never, { ...about, serverTime })
  }
  const wasSaved = await savePulled(db, {
    account,
    list: key,
    at,
    before,
    save: value && save,
    saveUnreadable: () => saveUnreadable(db, { account, list: key, at }, unreadable),
    end: last ? { cursor, etag: first.etag, serverAt, extent: () => pages.extent } : undefined,
    serverTime,
  })
  if (!wasSaved) return 'not-asked'
  return value ? 'fresh' : 'unchanged'
}

/** The server's own time as a response says it, or at least shows it; milliseconds since 1970. */
export function serverTimeOf(
  { date, value }: PullResponse,
  before: Pulled | undefined,
): number | undefined {
  if (date !== undefined) return date
  const { deliveries = [] } = (value ?? {}) as { deliveries?: { updatedAt?: string }[] }
  const times = deliveries.map(({ updatedAt = '' }) => Date.parse(updatedAt) || 0)
  return (
    times.reduce((newest, time) => Math.max(newest, time), before?.serverTime ?? 0) || undefined
  )
}

/** What a response says of rows that this version cannot read. */
function unreadableRows(
  { value, unreadable }: PullResponse,
  key: string,
  isFirst: boolean,
): UnreadableRows {
  const { removed, ...others } = (value ?? {}) as Rows & Record<string, unknown>
  const rows = Object.values(others)
    .flat()
    .filter((value) => typeof value === 'object')
  return {
    found: unreadable,
    read: [key, ...rows.map(rowId)],
    removed: removed ?? [],
    isWhole: isFirst && removed === undefined,
  }
}

export async function failed(
  context: SyncContext<SomaDb>,
  ref: ListRef,
  reader: Reader,
  error: unknown,
): Promise<Omit<Pull, 'every'>> {
  const { db, clock } = context
  const { account } = reader
  const list = listKey(ref)
  if (error instanceof Unreadable) {
    await noteUnreadable(db, { account, list, at: clock.now() }, ref.id ?? list)
    return { result: 'unreadable' }
  }
  if (error instanceof Unreachable) return withoutResponse(error)
  if (!(error instanceof Refused)) throw error
  await forgetRefused(context, ref, reader, error)
  await noteRefusedPull(db, account, list)
  return { result: 'refused' }
}
