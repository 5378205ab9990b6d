import { Refused, Unreachable } from '#contract/wire-errors.ts'
import { Refusal } from '#domain/errors.ts'
import { markExpired } from '../database/device/expired-session.ts'
import { type EngineDb, guestAccount } from '../database/engine-db.ts'
import { ended, type OutboxEntry, refusedEntry } from '../database/entry.ts'
import { NoWithdrawal, type OutboxModel, type Replied } from '../model.ts'
import type { MonotonicTime } from '../time.ts'
import { backoff, park } from './backoff.ts'
import { dependantsAmong, unsentEntries } from './unsent.ts'
import type { WriteBatch } from './write-batch.ts'

/**
 * How one try of one entry went. `jitter`, from 0 to 1: entries that failed in one request wait together,
 * and leave together again. `inPart`: its request brought the outcomes of others before it broke off. `token`: the
 * login's, as it was when the entry left.
 */
export type Outcome =
  | Replied
  | {
      entry: OutboxEntry
      error: unknown
      jitter: number
      inPart?: boolean
      token?: string | undefined
    }

/** When it is; `wallClock`: by the device's clock, milliseconds since 1970. */
type Circumstances = { now: MonotonicTime; wallClock: number }

/** The database, what the product adds to it, and what is to be written. */
type Recording = { db: EngineDb; model: OutboxModel; batch: WriteBatch }

/**
 * Takes in how tries went, inside the caller's transaction; successes and failures alike are left to
 * the batch, which writes every entry and row once (S15, S16). `stored`: the tries' entries as they stand.
 */
export async function recordOutcomes(
  recording: Recording,
  outcomes: readonly Outcome[],
  stored: readonly (OutboxEntry | undefined)[],
  circumstances: Circumstances,
): Promise<void> {
  // An entry cancelled while it was sent, or discarded with a logout, needs no outcome.
  const current = outcomes.flatMap((outcome, at) => {
    const now = stored[at]
    return now && now.state !== 'cancelled' ? [{ outcome, withdrawal: now.withdrawal }] : []
  })
  const replied = current.flatMap(({ outcome }) => ('reply' in outcome ? [outcome] : []))
  if (replied.length > 0) await recording.model.recordReplies(recording.db, replied)
  const unsentOf = unsentOnce(recording.db)
  for (const { outcome, withdrawal } of current) {
    // What the person takes back during a try is withdrawn once it has ended.
    const entry = { ...outcome.entry, withdrawal }
    const work =
      'reply' in outcome
        ? recordReply(recording, { ...outcome, entry }, circumstances)
        : recordFailure({ ...recording, unsentOf }, { ...outcome, entry }, circumstances)
    // After a hundred awaits that ask the database nothing Dexie would lose the transaction.
    if (work) await work
  }
}

/** Unsent entries of an account, read once for all outcomes of a transaction. */
function unsentOnce(db: EngineDb): (account: string) => PromiseLike<OutboxEntry[]> {
  const known = new Map<string, PromiseLike<OutboxEntry[]>>()
  return (account) => {
    const found = known.get(account) ?? unsentEntries(db, account)
    known.set(account, found)
    return found
  }
}

/** Nothing to wait for, unless the server has another name for the row. */
function recordReply(
  recording: Recording,
  { entry, reply }: Replied,
  { wallClock }: Circumstances,
): Promise<void> | undefined {
  const lastAnswer = { at: wallClock, status: reply.status ?? 200 }
  const done = { ...ended(entry, 'done', wallClock), lastAnswer }
  recording.batch.addRows(entry.account, reply.rows)
  if (reply.id !== undefined && reply.id !== entry.lane) return renamed(recording, done, reply.id)
  recording.batch.put(done)
  return undefined
}

async function renamed({ db, model, batch }: Recording, done: OutboxEntry, id: string) {
  await adoptId(db, model, done, id)
  batch.moveLane(done, id)
  batch.put({ ...done, lane: id })
}

/** A backend that hands out its own ID: one durable alias, and what waits follows the row (S19). */
async function adoptId(
  db: EngineDb,
  model: OutboxModel,
  { account, lane }: OutboxEntry,
  id: string,
): Promise<void> {
  await db.aliases.put({ account, local: lane, server: id })
  await db.outbox.where('[account+lane]').equals([account, lane]).modify({ lane: id })
  await model.moveRow(db, account, lane, id)
}

type FailedRecording = Recording & { unsentOf: (account: string) => PromiseLike<OutboxEntry[]> }
type Failed = Extract<Outcome, { error: unknown }>

/** Nothing to wait for where the entry is only tried again. */
function recordFailure(
  recording: FailedRecording,
  outcome: Failed,
  circumstances: Circumstances,
): Promise<void> | undefined {
  const { error } = outcome
  const tried = { ...outcome, entry: withLastTry(outcome, circumstances) }
  if (error instanceof Refused && error.status === 401)
    return recordDeadToken(recording, tried, error, circumstances)
  if (error instanceof Refusal && error.reason === 'withdrawn')
    return recordWithdrawn(recording, tried.entry, circumstances)
  if (error instanceof Refusal) return recordRefusal(recording, tried.entry, error, circumstances)
  if (error instanceof NoWithdrawal) return recordNoWithdrawal(recording, tried.entry)
  recording.batch.put(retried(tried, circumstances))
  return undefined
}

/** The entry with how its last try ended. */
function withLastTry({ entry, error }: Failed, { wallClock }: Circumstances): OutboxEntry {
  const status = error instanceof Refused || error instanceof Unreachable ? error.status : undefined
  return { ...entry, lastAnswer: { at: wallClock, status } }
}

/** 401: the queue of that account waits for a login; nothing is lost, attempts unchanged (S14). */
async function recordDeadToken(
  { db, batch }: Recording,
  { entry, token }: Failed,
  { reason, message }: Refused,
  { wallClock }: Circumstances,
): Promise<void> {
  if (entry.account === guestAccount) {
    // A guest logs in nowhere: until there is another token, this one is tried once a day (S74).
    const error = { reason, message }
    const wait = park.for
    const until = { nextAt: wallClock + wait, wait, held: true }
    return batch.put({ ...entry, ...until, state: 'parked', lease: undefined, error })
  }
  batch.put({ ...entry, state: 'waiting', lease: undefined })
  await markExpired(db, entry.account, token)
}

/**
 * It has not happened, and never will: what depends on it is cancelled with it. A part that was to undo it, as the
 * cancellation of a request does, has nothing left to do (S56).
 */
async function recordWithdrawn(
  { db, model, batch, unsentOf }: FailedRecording,
  entry: OutboxEntry,
  { wallClock }: Circumstances,
): Promise<void> {
  const unsent = await unsentOf(entry.account)
  const isUndoing = ({ isPart, after }: OutboxEntry) => isPart === 1 && after.includes(entry.id)
  for (const each of unsent.filter(isUndoing)) batch.put(ended(each, 'done', wallClock))
  const others = unsent.filter((each) => !isUndoing(each))
  const lost = [...(await model.invalidatedBy(db, entry)), ...dependantsAmong(others, entry)]
  const cancelled = [entry, ...lost.filter((each) => !isUndoing(each))]
  for (const each of cancelled)
    if (!batch.hasEnded(each)) batch.put(ended(each, 'cancelled', wallClock))
  await model.forgetRequests(db, cancelled)
}

/**
 * The backend withdraws nothing: a request is asked for once more, and then cancelled by the part that waits for it;
 * of anything else nobody knows whether it arrived (S73).
 */
async function recordNoWithdrawal(
  { batch, unsentOf }: FailedRecording,
  entry: OutboxEntry,
): Promise<void> {
  const unsent = await unsentOf(entry.account)
  const isUndone = unsent.some(({ isPart, after }) => isPart === 1 && after.includes(entry.id))
  const free = { ...entry, lease: undefined }
  if (isUndone) batch.put({ ...free, state: 'waiting', withdrawal: undefined })
  else batch.put({ ...free, state: 'parked', withdrawal: 'unknown', error: undefined, unseen: 1 })
}

/** The row falls back to the server's row, and what depended on this entry is refused too (S15). */
async function recordRefusal(
  { db, model, batch, unsentOf }: FailedRecording,
  entry: OutboxEntry,
  { reason, message }: Refusal,
  { wallClock }: Circumstances,
): Promise<void> {
  const refused = refusedEntry(entry, { reason, message }, wallClock)
  batch.put(refused)
  const because = {
    reason,
    message: `“${entry.title}” did not go through: ${message}`,
    because: entry.id,
  }
  const unsent = await unsentOf(entry.account)
  const invalidated = await model.invalidatedBy(db, refused)
  // What depends on one that only made sense with the refused entry is lost as well.
  const dependants = [entry, ...invalidated].flatMap((each) => dependantsAmong(unsent, each))
  for (const each of [...invalidated, ...dependants])
    if (!batch.hasEnded(each)) batch.put(refusedEntry(each, because, wallClock))
}

/** Nobody responded, or the server failed: the same key, later (S12); parked after an hour of failures (S16). */
function retried(
  { entry, error, jitter, inPart }: Failed,
  { now, wallClock }: Circumstances,
): OutboxEntry {
  const unreachable = error instanceof Unreachable ? error : undefined
  // A request that got something done is no reason to wait longer for the rest of it (S41).
  const attempts = inPart ? Math.max(1, entry.attempts) : entry.attempts + 1
  const failing = isServerFailure(unreachable) ? failedAgain(entry, now) : entry
  const retryAfter = unreachable?.retryAfter
  const isParked = failing !== entry && failing.failures >= park.after && hasFailedLong(failing)
  const wait = isParked ? park.for : (retryAfter ?? backoff(inPart ? 1 : attempts, () => jitter))
  return {
    ...failing,
    state: isParked ? 'parked' : 'retrying',
    lease: undefined,
    left: true,
    attempts,
    nextAt: wallClock + wait,
    wait,
    held: unreachable?.namesTime === true || isParked,
    unseen: isParked ? 1 : entry.unseen,
    error: {
      reason: postponedBy[unreachable?.status ?? 0] ?? 'unavailable',
      message: error instanceof Error ? error.message : 'No response',
    },
  }
}

/** Why the server asks for a later try, by its status. */
const postponedBy: Record<number, string> = { 409: 'paused', 429: 'too-many' }

/** One failure more; how long they have gone on is counted from one to the next. */
function failedAgain(entry: OutboxEntry, now: number): OutboxEntry {
  const gap = now - (entry.failedAt ?? now)
  return {
    ...entry,
    failures: entry.failures + 1,
    failingFor: (entry.failingFor ?? 0) + Math.min(Math.max(0, gap), park.longestGap),
    failedAt: now,
  }
}

const hasFailedLong = ({ failingFor = 0 }: OutboxEntry) => failingFor >= park.within

/**
 * Whether a response counts towards parking: a failure of our server, never of a gateway before it. 408, 425
 * and 429 ask for patience, and so does whatever names a time (`Retry-After`).
 */
const isServerFailure = (error: Unreachable | undefined): boolean =>
  error?.isOurs === true &&
  error.status !== undefined &&
  error.retryAfter === undefined &&
  error.status >= 400 &&
  ![408, 425, 426, 429].includes(error.status)
