import type { CallInput, CallResult } from '#contract/calls/call.ts'
import { callLine } from '#contract/calls/call-line.ts'
import type { Read, reads } from '#contract/reads.ts'
import { type SharedRead, sharedReads } from '#contract/shared-reads.ts'
import { Refused, Unreachable } from '#contract/wire-errors.ts'
import { type ListRef, listKey } from '#sync/lists/list-ref.ts'
import { hasSetAside, noteRefusedPull, pulledState, savePulled } from '#sync/lists/pulls.ts'
import type { Pull } from '#sync/model.ts'
import { patience, type SyncContext, withDeadline } from '#sync/platform/context.ts'
import type { PagesSoFar } from '../deliveries/save/account-rows.ts'
import type { SomaDb } from '../soma-db.ts'
import { type List, sharedLists } from './lists.ts'

/** What a pull needs that a visitor does without; loaded when it is first needed. */
export type LoadLazy = () => Promise<{
  /** Pulls whatever list it is. */
  pullAnyList(context: SyncContext<SomaDb>, ref: ListRef): Promise<Pull>
}>

/**
 * Asks the server for what changed in one list and saves it. What everybody needs is pulled here, as long
 * as all goes well: the first page loads nothing more for it.
 */
export async function pullList(
  context: SyncContext<SomaDb>,
  ref: ListRef,
  loadLazy: LoadLazy,
): Promise<Pull> {
  const shared = Object.hasOwn(sharedLists, ref.kind) ? sharedLists[ref.kind] : undefined
  const pulled = shared && (await pullShared(context, ref, shared))
  if (pulled) return pulled
  const lazy = await loadLazy().catch(() => undefined)
  // For want of a network it could not be loaded.
  return lazy?.pullAnyList(context, ref) ?? { result: 'unreachable', every: 30_000 }
}

/** Nothing when something of the list, or of an earlier one, could not be read. */
async function pullShared(
  context: SyncContext<SomaDb>,
  ref: ListRef,
  list: List,
): Promise<Pull | undefined> {
  const { db, clock } = context
  const { every } = list
  const key = listKey(ref)
  if (await hasSetAside(db)) return undefined
  try {
    const before = await pulledState(db, '', key)
    const { value, etag, unreadable } = await ask(context, sharedReads[ref.kind as SharedRead], {
      etag: before?.etag,
    })
    if (unreadable.length > 0) return undefined
    const at = clock.now()
    const about = { account: '', pages: { seen: new Set<string>() }, at }
    const times = { askedAt: 0, serverAt: clock.monotonic(), now: at }
    const response = { account: '', ...times }
    const save = value && (() => list.save(db, value as never, { ...about, response }))
    await savePulled(db, { account: '', list: key, at, before, save, end: { etag } })
    return { result: value ? 'fresh' : 'unchanged', every }
  } catch (error) {
    if (error instanceof Unreachable && error.name !== 'Unreadable')
      return { ...withoutResponse(error), every }
    if (!(error instanceof Refused)) return undefined
    await noteRefusedPull(db, '', key)
    return { result: 'refused', every }
  }
}

export type PullResponse = CallResult<Read>
export type Rows = { deliveries?: { ID: string }[]; removed?: string[]; next?: string }

/** A page as it is saved. `last`: nothing comes after it. */
export type PulledPage = { response: PullResponse; pages: PagesSoFar; last: boolean }

/** A response of several pages. `ask`: with more in the query than the first was asked with. */
export type Paged<T> = {
  list: List
  first: PullResponse
  ask: (query: NonNullable<CallInput['query']>) => Promise<PullResponse>
  save: (page: PulledPage) => Promise<T>
}

/** One page, and a time limit with it. `line`: of the endpoint table. */
export const ask = (
  { transport, base, clock }: SyncContext,
  line: (typeof reads)[Read],
  question: CallInput,
): Promise<PullResponse> =>
  withDeadline(clock, patience, (signal) =>
    callLine(transport, base, line, { ...question, signal }),
  )

/** Nobody responded, or the server asked for patience. */
export const withoutResponse = ({ isOurs, retryAfter }: Unreachable): Omit<Pull, 'every'> => ({
  result: 'unreachable',
  responded: isOurs,
  retryAfter,
})
