import { call } from '#contract/calls/call.ts'
import { Refusal } from '#domain/errors.ts'
import { guestAccount } from '#store/database/engine-db.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import { outboxProduct } from '#store/deliveries/outbox-product.ts'
import { storedPhoto } from '#store/deliveries/save/replies.ts'
import type { ServerReply } from '#store/outbox/product.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { deadline, type SyncContext } from '../platform/context.ts'
import type { Memo, PushProduct, SendRequest } from '../push/product.ts'
import { redrawn } from './redrawn-photo.ts'
import { callOps, replyOfUpload } from './requests.ts'
import { batchProduct } from './send-batch.ts'
import { sendCall } from './send-call.ts'
import { uploadPhoto } from './upload-photo.ts'

/** Milliseconds for the answer that shows that there is a network. */
const patience = 10_000

const sendOne: SendRequest = (context: SyncContext<SomaDb>, entry: Entry, credentials, photoUrls) =>
  sendCall({ context, entry, credentials, photoUrls })

/** Deliveries, as the sender needs them. */
export const pushProduct: PushProduct = {
  ...outboxProduct,
  requests: {
    ...Object.fromEntries(callOps.map((op): [string, SendRequest] => [op, sendOne])),
    uploadPhoto: (
      context: SyncContext<SomaDb>,
      entry: Entry<'uploadPhoto'>,
      { token },
      photoUrls,
    ) => sendPhoto(context, entry, photoUrls, entry.account === guestAccount ? undefined : token),
  },
  batch: batchProduct,
  probe,
}

async function sendPhoto(
  context: SyncContext<SomaDb>,
  { input }: Entry<'uploadPhoto'>,
  photoUrls: Memo,
  token: string | undefined,
): Promise<ServerReply> {
  const photo = await storedPhoto(context.db, input.photo)
  if (!photo) throw new Refusal('photo-not-hosted', 'The photo is no longer on this phone.')
  if (photo.url) return replyOfUpload(photo.url, 0)
  const { bytes, type } = await redrawn(context, photo)
  const url = await uploadPhoto(context, bytes, type, { photo: photo.id, token })
  photoUrls.set(photo.id, url)
  return replyOfUpload(url, bytes.byteLength)
}

/** Asks for the smallest thing the server has for anybody. */
async function probe({ transport, base, clock }: SyncContext): Promise<boolean> {
  const { signal, clear } = deadline(clock, patience)
  try {
    await call(transport, base, 'config', { signal })
    return true
  } catch {
    return false
  } finally {
    clear()
  }
}
