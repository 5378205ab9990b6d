import { type BatchLine, type BatchOperation, callBatch } from '#contract/calls/call-batch.ts'
import { Refused, Unreachable } from '#contract/wire-errors.ts'
import { proofFor } from '#sync/challenge/with-proof.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { type BatchModel, type BatchOutcome, type Leased, type Memo, NoBatch } from '#sync/model.ts'
import { deadline, patience, type SyncContext } from '#sync/platform/context.ts'
import { type Entry, operations } from '../entries/operations.ts'
import type { SomaDb } from '../soma-db.ts'
import { type Asking, callOf } from './entry-requests.ts'
import { replyOf } from './send-call.ts'

/** How a backend without a batch responds, or one that takes smaller ones. */
const statusesWithoutBatch = [400, 404, 405, 413, 415]

/** Deliveries' entries in one request (S41). */
export const batchModel: BatchModel = {
  groupOf: ({ id, account, lane, input, withdrawal }) => {
    if (withdrawal) return `withdrawal ${id}`
    return account !== guestAccount ? account : 'id' in input ? `guest ${lane}` : guestAccount
  },

  async send(context: SyncContext<SomaDb>, entries, memo, settle) {
    const { prepared, unasked } = await prepare(context, entries, memo)
    for (const { asking, outcome } of unasked) settle(asking.entry, outcome)
    if (prepared.length === 0) return
    const limit = timeLimit(context)
    const outcomes: Promise<void>[] = []
    const byKey = new Map(prepared.map((each) => [each.asking.entry.id, each]))
    const done = new Set<string>()
    const onLine = (line: BatchLine) => {
      limit.extend()
      const found = byKey.get(line.key)
      byKey.delete(line.key)
      if (!found) return
      if ('result' in line) done.add(line.key)
      const isWaiting = found.operation.after?.some((parent) => !done.has(parent)) ?? false
      outcomes.push(
        outcomeOf(line, found, isWaiting, memo).then((outcome) =>
          settle(found.asking.entry, outcome),
        ),
      )
    }
    try {
      const operations = prepared.map(({ operation }) => operation)
      const about = { token: prepared[0]?.asking.credentials.token, signal: limit.signal }
      const sent = await callBatch(context.transport, context.base, operations, about, onLine)
      // What did not fit has not left.
      for (const { asking } of prepared.slice(sent)) settle(asking.entry, { returned: true })
    } catch (error) {
      if (byKey.size === prepared.length && isWithoutBatch(error)) throw new NoBatch()
      throw error
    } finally {
      limit.clear()
      await Promise.all(outcomes)
    }
  },
}

type Prepared = { asking: Asking; operation: BatchOperation }
type Unasked = { asking: Asking; outcome: BatchOutcome }

/**
 * The operations of a batch. Entries that cannot be asked for at all have ended before it, and what
 * depends on them goes later.
 */
async function prepare(
  context: SyncContext<SomaDb>,
  entries: readonly Leased[],
  photoUrls: Memo,
): Promise<{ prepared: Prepared[]; unasked: Unasked[] }> {
  const prepared: Prepared[] = []
  const unasked: Unasked[] = []
  const ids = new Set(entries.map(({ entry }) => entry.id))
  const lastOfLane = new Map<string, string>()
  const missing = new Set<string>()
  for (const { entry, credentials } of entries) {
    const asking = { context, entry: entry as Entry, credentials, photoUrls }
    const isAside = operations[entry.op]?.isAside === true
    const before = isAside ? undefined : lastOfLane.get(entry.lane)
    if (!isAside) lastOfLane.set(entry.lane, entry.id)
    const after = [...entry.after.filter((id) => ids.has(id)), ...(before ? [before] : [])]
    const one = after.some((id) => missing.has(id))
      ? ({ returned: true } as const)
      : await prepareOne(asking, after)
    if ('operation' in one) prepared.push(one)
    else {
      missing.add(entry.id)
      unasked.push({ asking, outcome: one })
    }
  }
  return { prepared, unasked }
}

async function prepareOne(asking: Asking, after: string[]): Promise<Prepared | BatchOutcome> {
  const { id: key, occurredAt } = asking.entry
  const challenge = asking.photoUrls.get(proofKey(key))
  try {
    const { op, input } = await callOf(asking)
    return { asking, operation: { key, op, input, occurredAt, challenge, after } }
  } catch (error) {
    return { error }
  }
}

/** Where the memo holds the solution that an entry leaves with again. */
const proofKey = (id: string) => `proof ${id}`

/**
 * `isWaiting`: something the entry comes after has not succeeded in this batch. An entry whose line brings a challenge
 * leaves again with its solution (S69), once in a drain. Never rejects.
 */
async function outcomeOf(
  line: BatchLine,
  { asking }: Prepared,
  isWaiting: boolean,
  memo: Memo,
): Promise<BatchOutcome> {
  try {
    if ('skipped' in line) {
      if (isWaiting) return { returned: true }
      throw new Unreachable('Skipped without a reason', { status: 424, isOurs: true })
    }
    const respond = async () => {
      if ('error' in line) throw line.error
      return line.result
    }
    return { reply: await replyOf(asking, respond) }
  } catch (error) {
    const key = proofKey(asking.entry.id)
    const proof = memo.has(key) ? undefined : await proofFor(asking.context, error)
    if (proof === undefined) return { error }
    memo.set(key, proof)
    return { returned: true }
  }
}

const isWithoutBatch = (error: unknown): boolean =>
  (error instanceof Refused || error instanceof Unreachable) &&
  error.status !== undefined &&
  statusesWithoutBatch.includes(error.status)

/** A time limit that begins anew with every line. */
function timeLimit({ clock }: SyncContext) {
  const controller = new AbortController()
  const begin = () => {
    const limit = deadline(clock, patience)
    limit.signal.addEventListener('abort', () => controller.abort(limit.signal.reason))
    return limit
  }
  let current = begin()
  return {
    signal: controller.signal,
    extend() {
      current.clear()
      current = begin()
    },
    clear: () => current.clear(),
  }
}
