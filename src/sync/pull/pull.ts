import { type CallResult as AnswerOf, type CallInput, call } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { Refused, Unreachable, Unreadable } from '#contract/errors.ts'
import { credentialsOfReader, type Reader } from '#store/account/reader.ts'
import type { Pulled } from '#store/database/engine-db.ts'
import { type ListRef, listKey } from '#store/database/lists.ts'
import {
  day,
  noteRefusedPull,
  noteUnreadable,
  pulledState,
  savePulled,
} from '#store/database/pulls.ts'
import { rowId, type UnreadableRows } from '#store/database/unreadable.ts'
import { isAskedAnew } from '#store/deliveries/asked-anew.ts'
import type { PagesSoFar } from '#store/deliveries/save/account-lists.ts'
import { forgetRefusal } from '#store/deliveries/save/forget-refusal.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { Pull } from '../engine/product.ts'
import { deadline, type SyncContext } from '../platform/context.ts'
import { type List, sharedLists } from './lists.ts'

/** What a pull needs of lists that a visitor does without; loaded when the first is asked for. */
type LazyPull = {
  /** The list by its name; nothing when there is none. */
  listOf(list: ListRef): List | undefined
  /** Asks for what comes with the first page, and saves it page by page. */
  pullPages<T>(paged: Paged<T>): Promise<T>
  /** What follows from a refusal for the login and the rows. */
  forgetRefused(
    context: SyncContext<SomaDb>,
    list: ListRef,
    reader: Reader,
    error: Refused,
  ): Promise<void>
}

export type LoadLazy = () => Promise<LazyPull>

const patience = 30_000

/**
 * Asks the server for what changed in one list and saves it. The answer is saved only if the same
 * person is still logged in, together with how far it reaches (S10, S38).
 */
export async function pullList(
  context: SyncContext<SomaDb>,
  ref: ListRef,
  loadLazy: LoadLazy,
): Promise<Pull> {
  const list = sharedLists[ref.kind] ?? (await lazyList(ref, loadLazy))
  const every = list?.every ?? 30_000
  const reader = list && (await readerOf(context, ref, list))
  if (!reader) return { result: list === null ? 'unreachable' : 'not-asked', every }
  const { account } = reader
  try {
    const pulled = await pulledState(context.db, account, listKey(ref))
    const before = (await isAskedAnew(context.db, account, ref, pulled)) ? undefined : pulled
    const askedAt = context.clock.monotonic()
    const question = { ...list.question, ...reader.question, ...since(list, before) }
    const asked = await ask(context, list, question)
    const answer = isTooLong(list, asked)
      ? await ask(context, list, { ...list.question, ...reader.question })
      : asked
    const pulling = { context, list, account, before, askedAt, first: answer, key: listKey(ref) }
    const value = answer.value as Rows | undefined
    if (!value?.next || list.firstPage || !(list.whole || value.removed)) {
      const page = { answer, pages: newPages(), last: true }
      const result = await savePage(pulling, page)
      if (ref.kind === 'delivery' && ref.id !== undefined)
        await forgetRefusal(context.db, account, ref.id)
      return { result, every }
    }
    const { pullPages } = await loadLazy()
    const result = await pullPages({
      list,
      first: answer,
      ask: (query) => ask(context, list, withQuery(question, query)),
      save: (page) => savePage(pulling, page),
    })
    return { result, every }
  } catch (error) {
    return { ...(await failed(context, ref, reader, error, loadLazy)), every }
  }
}

/** Nothing when there is no such list; `null` when it could not be loaded for want of a network. */
async function lazyList(ref: ListRef, loadLazy: LoadLazy): Promise<List | undefined | null> {
  const lazy = await loadLazy().catch(() => null)
  return lazy?.listOf(ref)
}

/** Under whose name a list is asked for; nobody's when there is nobody who may. */
const readerOf = async ({ db }: SyncContext<SomaDb>, { kind, id }: ListRef, list: List) =>
  list.shared
    ? { account: '', question: {} }
    : credentialsOfReader(db, kind === 'delivery' ? id : undefined)

/** One page, and a time limit with it. */
export async function ask(
  context: SyncContext,
  list: List,
  question: CallInput,
): Promise<PullAnswer> {
  const { signal, clear } = deadline(context.clock, patience)
  try {
    return await call(context.transport, context.base, list.op, { ...question, signal })
  } finally {
    clear()
  }
}

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
  if (list.part) return { etag: before?.etag }
  const query = { ...list.question?.query, since: before?.cursor }
  return { etag: before?.etag, ...(before?.cursor ? { query } : {}) }
}

/** More has changed than the page that is held: the page in full is less to load (S50). */
function isTooLong(list: List, { value }: PullAnswer): boolean {
  const { removed, next } = (value ?? {}) as Rows
  return list.firstPage === true && removed !== undefined && next !== undefined
}

export type PullAnswer = AnswerOf<Op>
export type Rows = { deliveries?: { ID: string }[]; removed?: string[]; next?: string }

/** A page as it is saved. `last`: nothing comes after it. */
type PulledPage = { answer: PullAnswer; pages: PagesSoFar; last: boolean }

/** An answer of several pages. `ask`: with more in the query than the first was asked with. */
export type Paged<T> = {
  list: List
  first: PullAnswer
  ask: (query: NonNullable<CallInput['query']>) => Promise<PullAnswer>
  save: (page: PulledPage) => Promise<T>
}

/** What is pulled for whom, and what was known of it. `first`: the answer whose cursor counts. */
type Pulling = {
  context: SyncContext<SomaDb>
  list: List
  key: string
  account: string
  before: Pulled | undefined
  /** When it was asked for, by the clock that is never set. */
  askedAt: number
  first: PullAnswer
}

/** Rows and, with the last of them, how far they reach. */
async function savePage(
  { context, list, key, account, before, askedAt, first }: Pulling,
  { answer, pages, last }: PulledPage,
): Promise<Pull['result']> {
  const { db, clock } = context
  const { value } = answer
  const at = clock.now()
  const serverAt = clock.monotonic()
  const about = { account, pages, at, answer: { account, askedAt, serverAt, now: at } }
  const unreadable = unreadableRows(answer, key, answer === first)
  // The phone keeps what it knew of a row that it cannot read: the list has it still.
  for (const row of unreadable.found) pages.seen.add(rowId(row))
  const { cursor } = (first.value ?? {}) as { cursor?: string }
  const serverTime = serverTimeOf(first, before)
  const wasSaved = await savePulled(db, {
    account,
    list: key,
    at,
    before,
    save: value && (() => list.save(db, value as never, { ...about, serverTime })),
    unreadable,
    end: last ? { cursor, etag: first.etag, serverAt, part: () => pages.part } : undefined,
    serverTime,
  })
  if (!wasSaved) return 'not-asked'
  return value ? 'fresh' : 'unchanged'
}

/** The server's own time as an answer says it, or at least shows it; milliseconds since 1970. */
export function serverTimeOf(
  { date, value }: PullAnswer,
  before: Pulled | undefined,
): number | undefined {
  if (date !== undefined) return date
  const { deliveries = [] } = (value ?? {}) as { deliveries?: { updatedAt?: string }[] }
  const times = deliveries.map(({ updatedAt = '' }) => Date.parse(updatedAt) || 0)
  return (
    times.reduce((newest, time) => Math.max(newest, time), before?.serverTime ?? 0) || undefined
  )
}

/** What an answer says of rows that this version cannot read. */
function unreadableRows(
  { value, unreadable }: PullAnswer,
  key: string,
  isFirst: boolean,
): UnreadableRows {
  const { removed, ...parts } = (value ?? {}) as Rows & Record<string, unknown>
  const rows = Object.values(parts)
    .flat()
    .filter((part) => typeof part === 'object')
  return {
    found: unreadable,
    settled: [key, ...(removed ?? []), ...rows.map(rowId)],
    isWhole: isFirst && removed === undefined,
  }
}

export async function failed(
  context: SyncContext<SomaDb>,
  ref: ListRef,
  reader: Reader,
  error: unknown,
  loadLazy: LoadLazy,
): Promise<Omit<Pull, 'every'>> {
  const { db, clock } = context
  const { account } = reader
  const list = listKey(ref)
  if (error instanceof Unreadable) {
    await noteUnreadable(db, { account, list, at: clock.now() }, ref.id ?? list)
    return { result: 'unreadable' }
  }
  if (error instanceof Unreachable) {
    const { status, retryAfter } = error
    return { result: 'unreachable', answered: status !== undefined, retryAfter }
  }
  if (!(error instanceof Refused)) throw error
  const lazy = await loadLazy()
  await lazy.forgetRefused(context, ref, reader, error)
  await noteRefusedPull(db, account, list)
  return { result: 'refused' }
}
