import type { CallInput, CallResult } from '#contract/calls/call.ts'
import type { Read } from '#contract/reads.ts'
import type { PagesSoFar } from '../deliveries/save/account-rows.ts'
import type { FullResponse } from '../deliveries/save/full-responses.ts'
import { endPause, replaceAll, saveConfig } from '../deliveries/save/shared-lists.ts'
import type { SomaDb } from '../soma-db.ts'

/** What one pull is asked with and how its response is saved. */
export type List = {
  op: Read
  /** Milliseconds between two pulls while it is looked at (R80). */
  every: number
  question?: CallInput
  /** Every page of it is pulled; of other lists only the first. */
  whole?: true
  /** With the first page of it in full comes what this question finds; older pages on scrolling (S50). */
  besides?: Record<string, string>
  /** Only its newest page is held; a delta of several pages is replaced by that page in full (S50). */
  firstPage?: true
  /** Asked for as it is, never by what changed: one page of a list, or one thing. */
  withoutDelta?: true
  /** Asked for again before it is saved in full in place of a delta: what it leaves out is known over these (S85). */
  over?: 'zones'
  /** Whoever uses the phone may ask: a guest without a token too. */
  guests?: true
  /** Kept once for the whole device, whoever is logged in. */
  shared?: true
  /** Runs inside the pull's transaction, with the parsed response. */
  save: Save<never>
}

/** What is saved, for whom, when it came and was asked for, and the server's own time (milliseconds since 1970). */
type Save<T> = (
  db: SomaDb,
  value: T,
  about: {
    account: string
    pages: PagesSoFar
    at: number
    response: FullResponse
    serverTime?: number
  },
) => PromiseLike<unknown>

type ValueOf<O extends Read> = NonNullable<CallResult<O>['value']>

/** Declares one list, with the types of its call. */
export const list = <O extends Read>(
  op: O,
  every: number,
  save: Save<ValueOf<O>>,
  more: Pick<
    List,
    'question' | 'shared' | 'over' | 'guests' | 'whole' | 'besides' | 'firstPage' | 'withoutDelta'
  > = {},
): List => ({ op, every, save: save as List['save'], ...more })

export const second = 1_000
export const hour = 3_600 * second

/** The office's order (R207): the tables have none but that of the IDs. */
const placed = <C>(choices: readonly C[]) => choices.map((choice, place) => ({ ...choice, place }))

/** What everybody needs, by kind. */
export const sharedLists: Record<string, List> = {
  zones: list('zones', hour, (db, { zones }) => replaceAll(db.zones, placed(zones)), {
    shared: true,
  }),
  items: list('items', hour, (db, { items }) => replaceAll(db.items, placed(items)), {
    shared: true,
  }),
  config: list(
    'config',
    hour,
    async (db, config) => {
      await saveConfig(db, config)
      if (config.pausedUntil === undefined) await endPause(db)
    },
    { shared: true },
  ),
}
