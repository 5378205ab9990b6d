import { Refusal } from '#domain/errors.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import type { Memo, SendModel, SendRequest, ServerReply } from '#sync/model.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import { outboxModel } from '../deliveries/outbox-model.ts'
import type { Entry } from '../entries/operations.ts'
import { callOps, replyOfUpload } from '../requests/entry-requests.ts'
import { batchModel } from '../requests/send-batch.ts'
import { sendCall } from '../requests/send-call.ts'
import { timedCall } from '../requests/timed-call.ts'
import { uploadPhoto } from '../requests/upload-photo.ts'
import type { Photo } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

/** Milliseconds for the response that shows that there is a network. */
const probePatience = 10_000
const logoutPatience = 20_000

const sendOne: SendRequest = (context: SyncContext<SomaDb>, entry: Entry, credentials, photoUrls) =>
  sendCall({ context, entry, credentials, photoUrls })

/** Deliveries, as the sender needs them. */
export const sendModel: SendModel = {
  ...outboxModel,
  requests: {
    ...Object.fromEntries(callOps.map((op): [string, SendRequest] => [op, sendOne])),
    uploadPhoto: (
      context: SyncContext<SomaDb>,
      entry: Entry<'uploadPhoto'>,
      { token },
      photoUrls,
    ) => sendPhoto(context, entry, photoUrls, entry.account === guestAccount ? undefined : token),
  },
  batch: batchModel,
  /** Asks for the smallest thing the server has for anybody. */
  probe: (context) =>
    timedCall(context, 'config', {}, probePatience).then(
      () => true,
      () => false,
    ),
  logout: (context, token) => timedCall(context, 'logout', { token, body: {} }, logoutPatience),
}

async function sendPhoto(
  context: SyncContext<SomaDb>,
  { input }: Entry<'uploadPhoto'>,
  photoUrls: Memo,
  token: string | undefined,
): Promise<ServerReply> {
  const photo = await context.db.photos.get(input.photo)
  if (!photo) throw new Refusal('photo-not-hosted', 'The photo is no longer on this phone.')
  if (photo.url) return replyOfUpload(photo.url, 0)
  const { bytes, type } = await redrawn(context, photo)
  const url = await uploadPhoto(context, bytes, type, { photo: photo.id, token })
  photoUrls.set(photo.id, url)
  return replyOfUpload(url, bytes.byteLength)
}

/** A photo that an earlier release stored may carry its place: a page draws it anew. */
async function redrawn(
  { db, redraw }: SyncContext<SomaDb>,
  photo: Photo,
): Promise<Pick<Photo, 'bytes' | 'type'>> {
  if (photo.redrawn || !redraw) return photo
  const drawn = await redraw(photo.bytes, photo.type).catch(() => undefined)
  if (!drawn) return photo
  await db.photos.update(photo.id, { ...drawn, redrawn: true })
  return drawn
}
