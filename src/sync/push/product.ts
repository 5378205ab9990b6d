import type { OutboxEntry } from '#store/database/entry.ts'
import type { Credentials } from '#store/outbox/credentials.ts'
import type { Leased } from '#store/outbox/lease.ts'
import type { OutboxProduct, ServerReply } from '#store/outbox/product.ts'
import type { SyncContext } from '../platform/context.ts'

/** What the requests of one drain remember for one another. */
export type Memo = Map<string, string>

/**
 * Makes the request of one entry, under its request key. Throws `Refused` when the server refused,
 * `Unreachable` when our server did not answer, `Refusal` when it cannot be asked at all.
 */
export type SendRequest = {
  // A method: a product's own takes its own database and entries.
  send(
    context: SyncContext,
    entry: OutboxEntry,
    credentials: Credentials,
    memo: Memo,
  ): Promise<ServerReply>
}['send']

/** How one entry of a batch ended. `returned`: the server has done nothing about it, and it goes later. */
export type BatchOutcome =
  | { reply: ServerReply }
  | { error: unknown; inPart?: boolean }
  | { returned: true }

/** The backend takes no batch: its calls are made one by one. */
export class NoBatch extends Error {
  override readonly name = 'NoBatch'
  override readonly message = 'The backend takes no batch'
}

/** Several entries in one request (S41). */
export type BatchProduct = {
  /** Entries that may share a request: one token for all. */
  groupOf(entry: OutboxEntry): string
  /**
   * Sends entries in one request, each after those it depends on, and calls `settle` for each as soon as
   * its outcome is known. Throws `NoBatch`, or `Unreachable`, for all that have not settled.
   */
  send(
    context: SyncContext,
    entries: readonly Leased[],
    memo: Memo,
    settle: (entry: OutboxEntry, outcome: BatchOutcome) => void,
  ): Promise<void>
}

/** What a product registers with the sender: its operations, its rows, and how each is asked for. */
export type PushProduct = OutboxProduct & {
  requests: Record<string, SendRequest>
  batch?: BatchProduct
  /** Whether our server answers a request that changes nothing. */
  probe?(context: SyncContext): Promise<boolean>
}
