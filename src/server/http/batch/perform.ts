import type { BatchLine } from '#contract/batch.ts'
import type { Actor } from '#domain/deliveries/delivery.ts'
import type { Log, Ports } from '../../ports/ports.ts'
import { personKey } from '../../ports/stores/request-store.ts'
import type { Calls } from '../dispatch.ts'
import { storedResponses } from '../idempotency/idempotency.ts'
import { measured } from '../measure.ts'
import { assertBodyFits, type Sent } from '../read-request.ts'
import { logWith } from '../request-log.ts'
import { errorOutcome, type Outcome } from '../responses.ts'
import type { BatchCaller } from './batch-caller.ts'
import type { CallFinder, FoundCall } from './find-call.ts'
import type { PlannedOperation } from './read-batch.ts'

/** What all operations of a batch have in common. */
export type BatchContext = {
  find: CallFinder
  caller: BatchCaller
  /** The caller's network address. */
  address: string
  userAgent: string | null
}

/** Returns the function that makes the call of one operation and gives its line. It never rejects. */
export function operationPerformer(
  ports: Ports,
  { handlers, dispatch, knownRefusal }: Calls,
  { find, caller, address, userAgent }: BatchContext,
  stored?: StoredOfBatch,
) {
  const { log, metrics, clock } = ports

  async function outcomeOf(operation: PlannedOperation, callLog: Log) {
    const url = urlOf(operation)
    const call = find(operation.method, url.pathname)
    const traced = { op: call.op, method: operation.method, route: `/api${call.endpoint.path}` }
    const outcome = await measured(ports, traced, () =>
      dispatch({
        ...call,
        handler: handlers[call.op],
        sent: sentBy(operation, url, userAgent),
        authenticate: caller.get,
        findStored: stored?.find,
        address,
        log: callLog,
      }).catch((error: unknown) => errorOutcome(error, callLog, call.op)),
    )
    caller.answered(call.op)
    return outcome
  }

  return {
    async perform(operation: PlannedOperation): Promise<BatchLine> {
      const { key, method } = operation
      const callLog = logWith(log, { request: key.toLowerCase(), method, route: '/api/batch' })
      const outcome = await outcomeOf(operation, callLog).catch((error: unknown) =>
        errorOutcome(error, callLog, 'batch'),
      )
      return lineOf(key, outcome)
    },

    /** The line of an operation whose caller is known to be over the limit of changes: it is not run (R140). */
    refused(operation: PlannedOperation, actor: Actor | undefined): BatchLine | undefined {
      const call = stored && foundOrNone(operation, find)
      if (!call || call.endpoint.access.startsWith('anyone')) return undefined
      const refusal = knownRefusal(call.op, actor, new Date(clock()).toISOString())
      if (!refusal) return undefined
      const { key } = operation
      if (stored.has({ person: personKey(actor), key: key.toLowerCase() })) return undefined
      const outcome = errorOutcome(refusal, log, call.op)
      metrics?.answered(call.op, { ...outcome, reason: refusal.reason }, 0)
      return lineOf(key, outcome)
    },
  }
}

type StoredOfBatch = Awaited<ReturnType<typeof findStoredResponses>>

/**
 * Reads the stored responses of all operations with one statement, because most of a batch that is sent
 * again was answered before. `undefined` when they cannot be read: each operation then looks for its own.
 */
export async function findStoredResponses(
  { repo, secrets }: Ports,
  operations: PlannedOperation[],
  { find, caller }: BatchContext,
) {
  try {
    const { actor } = await caller.get()
    const calls = operations.flatMap((operation) => {
      const call = foundOrNone(operation, find)
      if (!call) return []
      const person = personKey(call.endpoint.access === 'anyone' ? undefined : actor)
      return [{ person, key: operation.key.toLowerCase() }]
    })
    return await storedResponses(repo, secrets).findAll(calls)
  } catch {
    return undefined
  }
}

function foundOrNone(operation: PlannedOperation, find: CallFinder): FoundCall | undefined {
  try {
    return find(operation.method, urlOf(operation).pathname)
  } catch {
    return undefined
  }
}

/** The address that the single call would have; only its path and query count. */
const urlOf = ({ path }: PlannedOperation) => new URL(`http://server.invalid/api${path}`)

const sentBy = (
  { key, body, occurredAt, challenge }: PlannedOperation,
  url: URL,
  userAgent: string | null,
): Sent => ({
  url,
  key,
  occurredAt: occurredAt ?? null,
  challenge: challenge ?? null,
  userAgent,
  heldTags: null,
  async readBody() {
    assertBodyFits(body)
    return body === undefined ? {} : body
  },
})

function lineOf(key: string, { status, body, headers }: Outcome): BatchLine {
  const retryAfter = headers?.['retry-after']
  return { key, status, body, ...(retryAfter ? { retryAfter: Number(retryAfter) } : {}) }
}
