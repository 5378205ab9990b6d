import type { Credentials } from '#store/outbox/credentials.ts'
import type { OutboxEntry } from '#store/outbox/entry.ts'
import type { OutboxProduct, ServerReply } from '#store/outbox/product.ts'
import type { SyncContext } from '../platform/context.ts'

/**
 * Makes the request of one entry, under its request key. `memo`: what the requests of one drain
 * remember for one another. Throws `Refused` when the server refused, `Unreachable` when our server
 * did not answer, `Refusal` when it cannot be asked at all.
 */
export type SendRequest = {
  // A method: a product's own takes its own database and entries.
  send(
    context: SyncContext,
    entry: OutboxEntry,
    credentials: Credentials,
    memo: Map<string, string>,
  ): Promise<ServerReply>
}['send']

/** What a product registers with the sender: its operations, its rows, and how each is asked for. */
export type PushProduct = OutboxProduct & { requests: Record<string, SendRequest> }
