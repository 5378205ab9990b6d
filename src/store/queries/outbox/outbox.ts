import { shownSupportCode } from '#domain/support-code.ts'
import { storedDiagnostics } from '#sync/database/device/diagnostics.ts'
import { type DiagnosticEvent, getState } from '#sync/database/device/state.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { type EntryState, entryStates, isUnsent, unsentStates } from '#sync/database/entry.ts'
import { dependantsOf } from '#sync/outbox/unsent.ts'
import { hiddenEntries } from '../../account/hidden-guests.ts'
import { isCreate } from '../../deliveries/project.ts'
import type { Entry } from '../../entries/operations.ts'
import { isReplacedBy } from '../../entries/replaced.ts'
import type { SomaDb } from '../../soma-db.ts'
import { itemKeys, outboxAccounts, syncStatus } from '../queries.ts'

/* What the outbox screen and the toasts read: the first page does without. */

/** The `seq` of each item on the outbox screen, by its list and in the order it is shown. */
export type OutboxLists = { refused: number[]; waiting: number[]; history: number[] }

/**
 * What this person and the guest did, one item each, by keys alone: only the visible part of a list is
 * read. What was refused and the history come newest first, what waits oldest first.
 */
export async function outboxLists(db: SomaDb, account?: string): Promise<OutboxLists> {
  const accounts = await outboxAccounts(db, account)
  const hidden = await hiddenEntries(db)
  const keys = async (...states: EntryState[]) => {
    const found = accounts.flatMap((each) => states.map((state) => itemKeys(db, each, state)))
    const shown = (await Promise.all(found)).flat().filter((seq) => !hidden.has(seq))
    return shown.sort((a, b) => a - b)
  }
  const [refused, waiting, ended] = await Promise.all([
    keys('refused'),
    keys(...unsentStates),
    keys('done', 'cancelled'),
  ])
  return { refused: refused.reverse(), waiting, history: ended.reverse() }
}

/** The `seq` of each entry that was not sent, of photos too: what was refused first, then the oldest. */
export async function unsentEntryKeys(db: SomaDb, account?: string): Promise<number[]> {
  const accounts = await outboxAccounts(db, account)
  const hidden = await hiddenEntries(db)
  const keysIn = async (...states: EntryState[]) => {
    const places = accounts.flatMap((each) => states.map((state) => [each, state]))
    const keys = await db.outbox.where('[account+state]').anyOf(places).primaryKeys()
    return keys.filter((seq) => !hidden.has(seq))
  }
  const inOrder = (a: number, b: number) => a - b
  const refused = (await keysIn('refused')).sort(inOrder).reverse()
  return [...refused, ...(await keysIn(...unsentStates)).sort(inOrder)]
}

/** Entries by their `seq`, and the unsent entries that these depend on directly. */
export async function entriesWithParents(
  db: SomaDb,
  seqs: readonly number[],
): Promise<{ entries: Entry[]; parents: Entry[] }> {
  const found = await db.outbox.bulkGet([...seqs])
  const entries = found.filter((entry) => entry !== undefined)
  const after = [...new Set(entries.flatMap((entry) => (isUnsent(entry) ? entry.after : [])))]
  const parents = after.length === 0 ? [] : await db.outbox.where('id').anyOf(after).toArray()
  return { entries, parents: parents.filter(isUnsent) }
}

/**
 * The entry that takes back each of these requests, by the request's ID: a cancellation that was asked for
 * before the request had a response (S56). Those not taken back are left out.
 */
export async function cancellations(
  db: SomaDb,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, Entry>> {
  const requests = entries.filter((entry) => isCreate(entry) && hasOrAwaitsResponse(entry))
  if (requests.length === 0) return new Map()
  const lanes = requests.map(({ account, lane }) => [account, lane])
  const inLanes = await db.outbox.where('[account+lane]').anyOf(lanes).toArray()
  const found = new Map<string, Entry>()
  for (const request of requests) {
    const cancellation = inLanes.findLast(
      (each) =>
        each.op === 'cancelDelivery' && each.lane === request.lane && takesBack(each, request),
    )
    if (cancellation) found.set(request.id, cancellation)
  }
  return found
}

/**
 * What the server says of the prompt that a higher offer or a tip needs, by the ID of the entry that was done (R179);
 * nothing where the sender pays the driver.
 */
export async function promptsOf(
  db: SomaDb,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const asked = entries.filter(
    (entry) => entry.state === 'done' && (entry.op === 'raiseOffer' || addsTip(entry)),
  )
  const rows = await db.deliveries.bulkGet(
    asked.map(({ account, lane }): [string, string] => [account, lane]),
  )
  return new Map(
    asked.flatMap(({ id }, at) => {
      const message = (rows[at]?.server ?? rows[at]?.view)?.payment?.message
      return message ? [[id, message]] : []
    }),
  )
}

const addsTip = (entry: Entry): boolean =>
  entry.op === 'approveDelivery' && Boolean((entry as Entry<'approveDelivery'>).input.tip)

const hasOrAwaitsResponse = (entry: Entry): boolean => entry.state === 'done' || isUnsent(entry)

const takesBack = ({ state, occurredAt }: Entry, { endedAt }: Entry): boolean =>
  state !== 'cancelled' && (endedAt === undefined || Date.parse(occurredAt) < endedAt)

/** An entry, and what takes it back, if it is a request (S56). */
export type EntryInFull = { entry: Entry; cancellation?: Entry }

export async function entryInFull(db: SomaDb, id: string): Promise<EntryInFull | null> {
  const entry = await db.outbox.where('id').equals(id).first()
  if (!entry) return null
  return { entry, cancellation: (await cancellations(db, [entry])).get(id) }
}

/** How many unsent entries are not sent either when this one is taken back. */
export const countDependants = async (db: SomaDb, entry: Entry): Promise<number> =>
  (await dependantsOf(db, entry)).length

/** How many cancelled entries, and how many entries after them, are looked at for a replacement. */
const replacementsLookedAt = 500

/**
 * The `seq` of each cancelled entry that a later entry of the same operation replaced, as a second delivery
 * code replaces a wrong one: the history leaves these out (S28). The newest 500 are looked at.
 */
export async function replacedEntries(db: SomaDb, account?: string): Promise<ReadonlySet<number>> {
  const accounts = await outboxAccounts(db, account)
  const found = accounts.map((each) =>
    db.outbox
      .where('[account+state]')
      .equals([each, 'cancelled'])
      .reverse()
      .limit(replacementsLookedAt)
      .toArray(),
  )
  const cancelled = (await Promise.all(found)).flat()
  const [first] = cancelled.map(({ seq }) => seq).sort((a, b) => a - b)
  if (first === undefined) return new Set()
  const lanes = cancelled.map(({ account, lane }) => [account, lane])
  const [inLanes, following] = await Promise.all([
    db.outbox.where('[account+lane]').anyOf(lanes).toArray(),
    db.outbox.where(':id').above(first).limit(replacementsLookedAt).toArray(),
  ])
  return new Set(cancelled.filter(isReplacedBy([...inLanes, ...following])).map(({ seq }) => seq))
}

/** How many outcomes are shown, and marked as seen, at a time. */
const outcomesAtOnce = 100

/** Outcomes the person has not seen yet, oldest first, at most a hundred. */
export async function outcomes(db: SomaDb, account?: string): Promise<Entry[]> {
  const hidden = await hiddenEntries(db)
  const found = (await outboxAccounts(db, account)).map((each) =>
    db.outbox
      .where('[account+unseen]')
      .equals([each, 1])
      .filter(({ seq }) => !hidden.has(seq))
      .limit(outcomesAtOnce)
      .toArray(),
  )
  return (await Promise.all(found)).flat().sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0))
}

/** IDs of the photos' entries that are being sent just now. */
export async function activeUploads(db: SomaDb, account?: string): Promise<string[]> {
  // Offline every attempt starts and fails at once, and needs no toast.
  if ((await syncStatus(db)).reachable === false) return []
  const found = (await outboxAccounts(db, account)).map((each) =>
    db.outbox.where('[account+state]').equals([each, 'sending']).toArray(),
  )
  const hidden = await hiddenEntries(db)
  return (await Promise.all(found))
    .flat()
    .flatMap(({ op, id, seq }) => (op === 'uploadPhoto' && !hidden.has(seq) ? [id] : []))
}

/** How many items wait here for people who have logged out; 0 while somebody is logged in. */
export async function countForOthers(db: SomaDb): Promise<number> {
  if (await db.sessions.get('current')) return 0
  const unsent = await db.outbox.where('state').anyOf('waiting', 'sending', 'retrying', 'parked')
  const hidden = await hiddenEntries(db)
  const isOthers = ({ account, seq }: Entry) => account !== guestAccount || hidden.has(seq)
  return unsent.filter((entry) => isOthers(entry) && !entry.isPart).count()
}

/** How far the photos are that go up just now, by their IDs: a share from 0 to 1. */
export async function uploads(db: SomaDb): Promise<Record<string, number>> {
  const begin = 'upload:'
  const found = await db.meta.where('key').startsWith(begin).toArray()
  return Object.fromEntries(
    found.map(({ key, value }) => [key.slice(begin.length), value as number]),
  )
}

/** What the engine did last and what failed, newest first. */
export const diagnostics = (db: SomaDb): Promise<DiagnosticEvent[]> => storedDiagnostics(db)

/** The support code of this device as people say it, `K7QX-2MPD` (R92); `null` before its first request. */
export const supportCode = async (db: SomaDb): Promise<string | null> => {
  const code = await getState(db, 'supportCode')
  return code === undefined ? null : shownSupportCode(code)
}

/** Whether the diagnostics are also written to the console. */
export const logsToConsole = async (db: SomaDb): Promise<boolean> =>
  (await getState(db, 'logsToConsole')) ?? false

/** This account's entries and the guest's, newest first; ended ones stay 72 hours. */
export async function outbox(db: SomaDb, account?: string): Promise<Entry[]> {
  const accounts = await outboxAccounts(db, account)
  const entries = await db.outbox
    .where('[account+state]')
    .anyOf(accounts.flatMap((each) => entryStates.map((state) => [each, state])))
    .toArray()
  const hidden = await hiddenEntries(db)
  return entries.filter(({ seq }) => !hidden.has(seq)).sort((a, b) => b.seq - a.seq)
}
