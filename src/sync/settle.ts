import { Refused, Unreachable } from '#contract/errors.ts'
import { Refusal } from '#domain/errors.ts'
import { foresee } from '#domain/intent.ts'
import { actorFor } from '#store/account/account.ts'
import { guestAccount } from '#store/database/engine-db.ts'
import { byKeys } from '#store/database/get-many.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import { intentOf, isCreate } from '#store/deliveries/project.ts'
import { dependantsOf, ended, refoldLanes, refusedEntry } from '#store/outbox/enqueue.ts'
import { isUnsent } from '#store/outbox/entry.ts'
import { waitForLogin } from './expire.ts'
import type { Tools } from './platform/context.ts'
import { backoff, park } from './push/backoff.ts'
import type { Told } from './push/requests.ts'
import { type Writing, write } from './writing.ts'

/** How one try of one entry went. */
export type Outcome = { entry: Entry; told: Told } | { entry: Entry; error: unknown }

/**
 * Takes in how tries went (design: the outcome table), inside the caller's transaction. `stored`: the
 * tries' entries as they stand. What went well is left to be written with everything else of the
 * turn (`write`): one at a time, the queue would leave no faster than the disk.
 */
export async function settle(
  tools: Tools,
  outcomes: Outcome[],
  stored: (Entry | undefined)[],
): Promise<Writing> {
  const writing: Writing = { entries: [], shown: [], told: new Map() }
  // Taken back while it was on its way, or discarded with a logout: how that ended is nothing to anybody.
  const wanted = outcomes.filter((_, index) => stored[index] && stored[index].state !== 'cancelled')
  const answered = wanted.filter((outcome) => 'told' in outcome)
  await keepGuestTokens(tools, answered)
  for (const each of answered) await finish(tools, each, writing)
  const failed = wanted.filter((outcome) => 'error' in outcome)
  if (failed.length > 0) await write(tools.db, writing)
  for (const { entry, error } of failed) await fail(tools, entry, error)
  return writing
}

type Answered = { entry: Entry; told: Told }

async function finish(tools: Tools, { entry, told }: Answered, writing: Writing): Promise<void> {
  const { delivery, url } = told
  const done = ended(entry, 'done', tools.clock.now())
  if (url && entry.photos[0]) await tools.db.photos.update(entry.photos[0], { url })
  if (delivery) {
    const of = writing.told.get(entry.account) ?? []
    of.push(delivery)
    writing.told.set(entry.account, of)
  }
  if (delivery && isCreate(entry) && delivery.ID !== entry.lane) {
    await rename(tools, entry, delivery.ID)
    done.lane = delivery.ID
  }
  writing.entries.push(done)
  writing.shown.push(done)
}

/** What proves a guest from now on, under the ID their record has until it is renamed. */
async function keepGuestTokens({ db }: Tools, answered: Answered[]): Promise<void> {
  const given = answered.filter(({ told }) => told.guestToken && told.delivery)
  if (given.length === 0) return
  const records = await byKeys(
    db.guests,
    given.map(({ entry }) => entry.lane),
  )
  await db.guests.bulkPut(
    records.flatMap((record, at) => {
      const { guestToken, delivery } = given[at]?.told ?? {}
      return record && delivery ? [{ ...record, guestToken, createdAt: delivery.createdAt }] : []
    }),
  )
}

/** A backend that hands out its own ID: one durable alias, and what waits follows the row. */
async function rename({ db }: Tools, entry: Entry, id: string): Promise<void> {
  const { account, lane } = entry
  await db.aliases.put({ account, local: lane, server: id })
  await db.deliveries.delete([account, lane])
  await db.outbox.where('[account+lane]').equals([account, lane]).modify({ lane: id })
  const record = account === guestAccount ? await db.guests.get(lane) : undefined
  if (!record) return
  await db.guests.delete(lane)
  await db.guests.put({ ...record, id })
}

async function fail(tools: Tools, entry: Entry, error: unknown): Promise<void> {
  if (error instanceof Refused && error.status === 401 && error.reason !== 'wrong-login')
    return askToLogIn(tools, entry)
  if (error instanceof Refusal) return refuse(tools, entry, error)
  return later(tools, entry, error)
}

/** 401: the queue of that account waits for the person; nothing is lost, attempts unchanged. */
async function askToLogIn({ db, clock }: Tools, entry: Entry): Promise<void> {
  const waiting: Entry = { ...entry, state: 'waiting', lease: undefined }
  if (entry.account === guestAccount) {
    // A guest has nowhere to log in: their token is no longer taken, and that is an answer.
    const error = { reason: 'no-session', message: 'Session Expired' } as const
    await db.outbox.put(refusedEntry(entry, error, clock.now()))
  } else {
    await db.outbox.put(waiting)
    await waitForLogin(db, entry.account)
  }
  await refoldLanes(db, [entry])
}

/** Somebody said no: the row falls back, and whatever hung on this entry hears why. */
async function refuse({ db, clock }: Tools, entry: Entry, error: Refusal): Promise<void> {
  const now = clock.now()
  const { reason, message } = error
  await db.outbox.put(refusedEntry(entry, { reason, message }, now))
  const lost = await dependantsOf(db, entry)
  await refoldLanes(db, [entry])
  lost.push(...(await unfounded(db, entry)))
  const because = {
    reason,
    message: `“${entry.title}” did not go through: ${message}`,
    because: entry.id,
  }
  await db.outbox.bulkPut(lost.map((each) => refusedEntry(each, because, now)))
  await refoldLanes(db, lost)
}

/** Later entries of the same delivery that only made sense had this one gone through. */
async function unfounded(db: Tools['db'], entry: Entry): Promise<Entry[]> {
  const row = await db.deliveries.get([entry.account, entry.lane])
  const actor = await actorFor(db, entry.account, entry.lane)
  const all = await db.outbox
    .where('[account+lane]')
    .equals([entry.account, entry.lane])
    .sortBy('seq')
  if (isCreate(entry)) return all.filter(isUnsent)
  let view = row?.server ?? row?.view
  const lost: Entry[] = []
  for (const each of all) {
    const intent = intentOf(each)
    if (!intent || !isUnsent(each) || !view || !actor) continue
    try {
      view = foresee(view, intent, actor, { at: each.occurredAt })
    } catch {
      lost.push(each)
    }
  }
  return lost
}

/** Nobody answered, or the server failed: the same key, later; parked after eight failures of its own. */
async function later(
  { db, clock, random, isOffline }: Tools,
  entry: Entry,
  error: unknown,
): Promise<void> {
  const now = clock.now()
  const about = error instanceof Unreachable ? error : undefined
  const failures = entry.failures + (isServerFailure(about) ? 1 : 0)
  const attempts = entry.attempts + 1
  const told = about?.retryAfter
  const parked = failures >= park.after
  const wait = parked ? park.for : (told ?? backoff(attempts, random))
  await db.outbox.put({
    ...entry,
    state: parked ? 'parked' : 'retrying',
    lease: undefined,
    left: entry.left || !(isOffline?.() ?? false) || undefined,
    attempts,
    failures,
    nextAt: now + wait,
    held: told !== undefined || parked,
    unseen: parked ? 1 : entry.unseen,
    error: {
      reason: about?.status === 429 ? 'too-many' : 'unavailable',
      message: error instanceof Error ? error.message : 'No answer',
    },
  })
  await refoldLanes(db, [entry])
}

/** Only the server's own 5xx counts towards parking; 408, 425 and 429 ask for patience. */
const isServerFailure = (error: Unreachable | undefined): boolean =>
  error?.status !== undefined && error.status >= 500
