import type { Entry } from '#store/deliveries/operations.ts'
import { outboxProduct } from '#store/deliveries/outbox-product.ts'
import type { Credentials } from '#store/outbox/credentials.ts'
import type { ServerReply } from '#store/outbox/product.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { SyncContext } from '../platform/context.ts'
import type { PushProduct, SendRequest } from '../push/product.ts'
import { type Asking, requests } from './requests.ts'

/** One request of the table; the entry names its operation. */
type AnyRequest = (asking: Asking) => Promise<ServerReply>

/** Deliveries, as the sender needs them. */
export const pushProduct: PushProduct = {
  ...outboxProduct,
  requests: Object.fromEntries(
    Object.entries(requests).map(([op, request]): [string, SendRequest] => [
      op,
      (
        context: SyncContext<SomaDb>,
        entry: Entry,
        credentials: Credentials,
        photoUrls: Map<string, string>,
      ) => (request as AnyRequest)({ context, entry, credentials, photoUrls }),
    ]),
  ),
}
