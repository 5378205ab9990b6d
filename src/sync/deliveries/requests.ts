import * as z from 'zod/mini'
import { type CallInput, type CallResult, call } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { Refused, Unreachable } from '#contract/errors.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { guestAccount } from '#store/database/engine-db.ts'
import { pulledListsWith } from '#store/database/pulls.ts'
import type { Entry, OutboxOp } from '#store/deliveries/operations.ts'
import type { ReplyDetails } from '#store/deliveries/outbox-product.ts'
import {
  deliveryStatus,
  removeOwnSession,
  saveDispute,
  saveDriverDecision,
  saveRedrawnPhoto,
  storedPhoto,
} from '#store/deliveries/save/replies.ts'
import type { Credentials } from '#store/outbox/credentials.ts'
import type { ServerReply } from '#store/outbox/product.ts'
import type { Photo } from '#store/rows.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { deadline, type SyncContext } from '../platform/context.ts'
import { uploadPhoto } from './upload-photo.ts'

const patience = 30_000

/** What one request is made with. */
export type Asking<O extends OutboxOp = OutboxOp> = {
  context: SyncContext<SomaDb>
  entry: Entry<O>
  credentials: Credentials
  /** Addresses of photos the provider has, as far as this drain knows. */
  photoUrls: Map<string, string>
}

type Requests = { [O in OutboxOp]: (asking: Asking<O>) => Promise<ServerReply> }

/**
 * How each operation is asked for: one entry, under its request key. They throw `Refused` when the
 * server refused, and `Unreachable` when our server did not answer (S12).
 */
export const requests: Requests = {
  uploadPhoto: async ({ context, entry, photoUrls }) => {
    const photo = await storedPhoto(context.db, entry.input.photo)
    if (!photo) throw new Refusal('photo-not-hosted', 'The photo is no longer on this phone.')
    if (photo.url) return replyOfUpload(photo.url, 0)
    const { bytes, type } = await redrawn(context, photo)
    const url = await uploadPhoto(context, bytes, type, { photo: photo.id })
    photoUrls.set(photo.id, url)
    return replyOfUpload(url, bytes.byteLength)
  },

  createDelivery: async (asking) => {
    const { photo, ...rest } = asking.entry.input
    const body = { ...rest, itemPhoto: await photoUrl(asking, photo) }
    const answer = await ask(asking, 'createDelivery', { body })
    const { delivery } = required(answer)
    return reply(answer.bytes, { delivery, id: delivery.ID })
  },

  createGuestDelivery: async (asking) => {
    const { photo, ...rest } = asking.entry.input
    const body = { ...rest, itemPhoto: await photoUrl(asking, photo) }
    const answer = await ask(asking, 'createGuestDelivery', { body }).catch(withoutId)
    const { delivery, guestToken: token } = required(answer)
    const guest = token === undefined ? undefined : { token, createdAt: delivery.createdAt }
    return reply(answer.bytes, { delivery, id: delivery.ID, details: { guest } })
  },

  acceptDelivery: async (asking) =>
    replyOfDelivery(await ask(asking, 'acceptDelivery', { id: asking.credentials.id })),

  pickUpDelivery: (asking) => changeStatus(asking, 'Picked Up'),

  completeDelivery: async (asking) => {
    const { id } = asking.credentials
    const body = { code: asking.entry.input.code }
    return replyOfDelivery(await ask(asking, 'completeDelivery', { id, body }))
  },

  attachProof: async (asking) => {
    const { context, entry } = asking
    const status = (await deliveryStatus(context.db, entry.account, entry.lane)) ?? 'Delivered'
    return changeStatus(asking, status, await photoUrl(asking, entry.input.photo))
  },

  approveDelivery: (asking) => changeStatus(asking, 'Approved'),
  cancelDelivery: (asking) => changeStatus(asking, 'Cancelled'),

  reportIssue: async (asking) => {
    const { issue, type } = asking.entry.input
    const { id, guestPhone } = asking.credentials
    const body = { deliveryId: id, issue, type, priority: 'medium', guestPhone }
    const op = asking.entry.account === guestAccount ? 'createGuestDispute' : 'createDispute'
    return reply((await ask(asking, op, { body })).bytes)
  },

  changePhone: async (asking) => {
    const { phone_number } = asking.entry.input
    const answer = await ask(asking, 'changePhone', { body: { phone_number } })
    return reply(answer.bytes, { staleLists: ['me'] })
  },

  endSession: async (asking) => {
    const { id } = asking.entry.input
    // One that is over already is what was asked for.
    const answer = await ask(asking, 'endSession', { id }).catch((error: unknown) => {
      if (error instanceof Refused && error.status === 404) return undefined
      throw error
    })
    await removeOwnSession(asking.context.db, asking.entry.account, id)
    return reply(answer?.bytes ?? 0, { staleLists: ['sessions'] })
  },

  reviewDriver: async (asking) => {
    const { id, status } = asking.entry.input
    const answer = await ask(asking, 'reviewDriver', { id, body: { status } })
    const { driver } = required(answer)
    await saveDriverDecision(asking.context.db, asking.entry.account, id, driver.Status)
    return reply(answer.bytes, { staleLists: await adminListsAfter(asking, 'adminDrivers') })
  },

  resolveDispute: async (asking) => {
    const { id, resolution } = asking.entry.input
    const body = { status: 'resolved', resolution }
    const answer = await ask(asking, 'resolveDispute', { id, body })
    await saveDispute(asking.context.db, asking.entry.account, id, required(answer).dispute)
    return reply(answer.bytes, { staleLists: await adminListsAfter(asking, 'adminDisputes') })
  },

  addZone: async (asking) => {
    const { bytes } = await ask(asking, 'addZone', { body: asking.entry.input })
    return reply(bytes, { staleLists: ['zones'] })
  },
  removeZone: async (asking) => {
    const { bytes } = await ask(asking, 'removeZone', { id: asking.entry.input.id })
    return reply(bytes, { staleLists: ['zones'] })
  },
  addItem: async (asking) => {
    const { bytes } = await ask(asking, 'addItem', { body: asking.entry.input })
    return reply(bytes, { staleLists: ['items'] })
  },
  removeItem: async (asking) => {
    const { bytes } = await ask(asking, 'removeItem', { id: asking.entry.input.id })
    return reply(bytes, { staleLists: ['items'] })
  },
}

/** A photo that an earlier release stored may carry its place: a page draws it anew. */
async function redrawn(
  { db, redraw }: SyncContext<SomaDb>,
  photo: Photo,
): Promise<Pick<Photo, 'bytes' | 'type'>> {
  if (photo.redrawn || !redraw) return photo
  const drawn = await redraw(photo.bytes, photo.type).catch(() => undefined)
  if (!drawn) return photo
  await saveRedrawnPhoto(db, photo.id, drawn)
  return drawn
}

/** Every page of an admin's list that was ever pulled, and what counts its rows. */
async function adminListsAfter({ context, entry }: Asking, kind: string): Promise<string[]> {
  const pulled = await pulledListsWith(context.db, entry.account, kind)
  return ['adminStats', 'adminActivities', ...pulled]
}

type StatusOp = 'pickUpDelivery' | 'attachProof' | 'approveDelivery' | 'cancelDelivery'

async function changeStatus(
  asking: Asking<StatusOp>,
  status: string,
  proofOfDelivery?: string,
): Promise<ServerReply> {
  const { id, guestPhone } = asking.credentials
  return replyOfDelivery(
    asking.entry.account === guestAccount
      ? await ask(asking, 'changeGuestStatus', { id, body: { status, guestPhone } })
      : await ask(asking, 'changeStatus', { id, body: { status, proofOfDelivery } }),
  )
}

/** One call with the entry's own key, clock and token (S1, S8, S33), and a time limit. */
async function ask<O extends Op>(
  { context, entry, credentials }: Asking,
  op: O,
  question: CallInput,
): Promise<CallResult<O>> {
  const { signal, clear } = deadline(context.clock, patience)
  try {
    return await call(context.transport, context.base, op, {
      ...question,
      key: entry.id,
      occurredAt: entry.occurredAt,
      token: credentials.token,
      signal,
    })
  } finally {
    clear()
  }
}

async function photoUrl({ context, photoUrls }: Asking, photo: string): Promise<string> {
  const url = photoUrls.get(photo) ?? (await storedPhoto(context.db, photo))?.url
  if (!url) throw new Refusal('photo-not-hosted')
  photoUrls.set(photo, url)
  return url
}

const required = <O extends Op>(answer: CallResult<O>) => {
  if (!answer.value) throw new Unreachable('Not our answer', { status: answer.status })
  return answer.value
}

/** An answer that is ours but for the ID: asking again would bring the same. */
function withoutId(error: unknown): never {
  const cause = error instanceof Unreachable ? error.cause : undefined
  const issues = cause instanceof z.core.$ZodError ? cause.issues : []
  const lacksId = issues.length > 0 && issues.every(({ path }) => path.join('.') === 'delivery.ID')
  if (lacksId) throw new Refusal('invalid', 'Failed to create delivery - invalid response')
  throw error
}

type DeliveryOp = 'acceptDelivery' | 'completeDelivery' | 'changeStatus' | 'changeGuestStatus'

const replyOfDelivery = (answer: CallResult<DeliveryOp>): ServerReply =>
  reply(answer.bytes, { delivery: required(answer).delivery })

/** `url`: where the image provider keeps the photo. */
const replyOfUpload = (url: string, bytes: number): ServerReply =>
  reply(bytes, { details: { url } })

type More = { delivery?: Delivery; id?: string; staleLists?: string[]; details?: ReplyDetails }

const reply = (
  bytes: number,
  { delivery, id, staleLists = [], details }: More = {},
): ServerReply => ({
  rows: delivery ? [delivery] : [],
  id,
  staleLists,
  bytes,
  details,
})
