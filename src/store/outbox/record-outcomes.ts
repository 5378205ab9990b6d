import { Refused, Unreachable } from '#contract/errors.ts'
import { Refusal } from '#domain/errors.ts'
import { markExpired } from '../account/expired-session.ts'
import { type EngineDb, guestAccount } from '../database/engine-db.ts'
import { backoff, park } from './backoff.ts'
import { ended, type OutboxEntry, refusedEntry } from './entry.ts'
import type { OutboxProduct, Replied } from './product.ts'
import { dependantsOf } from './unsent.ts'
import type { WriteBatch } from './write-batch.ts'

/** How one try of one entry went. */
export type Outcome = Replied | { entry: OutboxEntry; error: unknown }

type Circumstances = {
  now: number
  random: () => number
  /** The device reported no network: the request cannot have left. */
  isOffline: boolean
}

/** The database, what the product adds to it, and what is to be written. */
type Place = { db: EngineDb; product: OutboxProduct; batch: WriteBatch }

/**
 * Takes in how tries went, inside the caller's transaction; successes and failures alike are left to
 * the batch, which writes every entry and row once (S15, S16). `stored`: the tries' entries as they stand.
 */
export async function recordOutcomes(
  place: Place,
  outcomes: readonly Outcome[],
  stored: readonly (OutboxEntry | undefined)[],
  circumstances: Circumstances,
): Promise<void> {
  // An entry taken back while it was sent, or discarded with a logout, needs no outcome.
  const current = outcomes.filter((_, at) => stored[at] && stored[at].state !== 'cancelled')
  const replied = current.filter((outcome) => 'reply' in outcome)
  if (replied.length > 0) await place.product.recordReplies(place.db, replied)
  for (const outcome of current)
    if ('reply' in outcome) await recordReply(place, outcome, circumstances)
    else await recordFailure(place, outcome.entry, outcome.error, circumstances)
}

async function recordReply(
  { db, product, batch }: Place,
  { entry, reply }: Replied,
  { now }: Circumstances,
): Promise<void> {
  const done = ended(entry, 'done', now)
  if (reply.id !== undefined && reply.id !== entry.lane) {
    await adoptId(db, product, entry, reply.id)
    batch.moveLane(entry, reply.id)
    done.lane = reply.id
  }
  batch.addRows(entry.account, reply.rows)
  batch.put(done)
}

/** A backend that hands out its own ID: one durable alias, and what waits follows the row (S19). */
async function adoptId(
  db: EngineDb,
  product: OutboxProduct,
  { account, lane }: OutboxEntry,
  id: string,
): Promise<void> {
  await db.aliases.put({ account, local: lane, server: id })
  await db.outbox.where('[account+lane]').equals([account, lane]).modify({ lane: id })
  await product.moveRow(db, account, lane, id)
}

function recordFailure(
  place: Place,
  entry: OutboxEntry,
  error: unknown,
  circumstances: Circumstances,
): Promise<void> {
  if (error instanceof Refused && error.status === 401 && error.reason !== 'wrong-login')
    return recordDeadToken(place, entry, circumstances)
  if (error instanceof Refusal) return recordRefusal(place, entry, error, circumstances)
  place.batch.put(retried(entry, error, circumstances))
  return Promise.resolve()
}

/** 401: the queue of that account waits for a login; nothing is lost, attempts unchanged (S14). */
async function recordDeadToken(
  { db, batch }: Place,
  entry: OutboxEntry,
  { now }: Circumstances,
): Promise<void> {
  if (entry.account === guestAccount)
    // A guest has nowhere to log in: their token is no longer taken, and that is a refusal.
    return batch.put(refusedEntry(entry, { reason: 'no-session', message: 'Session Expired' }, now))
  batch.put({ ...entry, state: 'waiting', lease: undefined })
  await markExpired(db, entry.account)
}

/** The row falls back to the server's row, and what depended on this entry is refused too (S15). */
async function recordRefusal(
  { db, product, batch }: Place,
  entry: OutboxEntry,
  { reason, message }: Refusal,
  { now }: Circumstances,
): Promise<void> {
  const refused = refusedEntry(entry, { reason, message }, now)
  batch.put(refused)
  const because = {
    reason,
    message: `“${entry.title}” did not go through: ${message}`,
    because: entry.id,
  }
  const lost = [...(await dependantsOf(db, entry)), ...(await product.invalidatedBy(db, refused))]
  for (const each of lost) batch.put(refusedEntry(each, because, now))
}

/** Nobody answered, or the server failed: the same key, later; parked after eight failures of its own (S12, S16). */
function retried(
  entry: OutboxEntry,
  error: unknown,
  { now, random, isOffline }: Circumstances,
): OutboxEntry {
  const unreachable = error instanceof Unreachable ? error : undefined
  const failures = entry.failures + (isServerFailure(unreachable) ? 1 : 0)
  const attempts = entry.attempts + 1
  const retryAfter = unreachable?.retryAfter
  const isParked = failures >= park.after
  const wait = isParked ? park.for : (retryAfter ?? backoff(attempts, random))
  return {
    ...entry,
    state: isParked ? 'parked' : 'retrying',
    lease: undefined,
    left: entry.left || !isOffline || undefined,
    attempts,
    failures,
    nextAt: now + wait,
    held: retryAfter !== undefined || isParked,
    unseen: isParked ? 1 : entry.unseen,
    error: {
      reason: unreachable?.status === 429 ? 'too-many' : 'unavailable',
      message: error instanceof Error ? error.message : 'No answer',
    },
  }
}

/** Only the server's own 5xx counts towards parking; 408, 425 and 429 ask for patience. */
const isServerFailure = (error: Unreachable | undefined): boolean =>
  error?.status !== undefined && error.status >= 500
