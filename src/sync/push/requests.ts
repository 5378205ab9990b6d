import * as z from 'zod/mini'
import { type Answer, call, type Question } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { Refused, Unreachable } from '#contract/errors.ts'
import type { Delivery } from '#domain/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { guestAccount } from '#store/database/engine-db.ts'
import type { Entry, OutboxOp } from '#store/deliveries/operations.ts'
import type { Photo } from '#store/rows.ts'
import type { Papers } from '../papers.ts'
import { deadline, type Tools } from '../platform/context.ts'
import { uploadPhoto } from './upload.ts'

/** What the server told in answer to one entry, as far as the store wants to know. */
export type Told = {
  delivery?: Delivery
  guestToken?: string
  /** Where the image provider keeps the photo. */
  url?: string
  /** Lists that are worth pulling anew. */
  stale: string[]
  bytes: number
}

const patience = 30_000

/**
 * Sends one entry under its request key. Throws `Refused` when the server said no, and
 * `Unreachable` when nobody who counts answered.
 */
export async function sendEntry(tools: Tools, entry: Entry, papers: Papers): Promise<Told> {
  const send = senders[entry.op] as (tools: Tools, entry: Entry, papers: Papers) => Promise<Told>
  return send(tools, entry, papers)
}

/** A photo that an earlier release kept may say where it was taken: it is drawn anew where the page can. */
async function redrawn(
  { db, redraw }: Tools,
  photo: Photo,
): Promise<Pick<Photo, 'bytes' | 'type'>> {
  if (photo.redrawn || !redraw) return photo
  const drawn = await redraw(photo.bytes, photo.type).catch(() => undefined)
  if (!drawn) return photo
  await db.photos.update(photo.id, { ...drawn, redrawn: true })
  return drawn
}

type Senders = {
  [O in OutboxOp]: (tools: Tools, entry: Entry<O>, papers: Papers) => Promise<Told>
}

const senders: Senders = {
  uploadPhoto: async (tools, entry) => {
    const photo = await tools.db.photos.get(entry.input.photo)
    if (!photo) throw new Refusal('photo-not-hosted', 'The photo is no longer on this phone.')
    if (photo.url) return { url: photo.url, stale: [], bytes: 0 }
    const { bytes, type } = await redrawn(tools, photo)
    const url = await uploadPhoto(tools, bytes, type, { photo: photo.id })
    return { url, stale: [], bytes: bytes.byteLength }
  },

  createDelivery: async (tools, entry, papers) => {
    const { photo, ...rest } = entry.input
    const body = { ...rest, itemPhoto: await hosted(tools, papers, photo) }
    return aboutDelivery(await ask(tools, entry, papers, 'createDelivery', { body }))
  },

  createGuestDelivery: async (tools, entry, papers) => {
    const { photo, ...rest } = entry.input
    const body = { ...rest, itemPhoto: await hosted(tools, papers, photo) }
    const answer = await ask(tools, entry, papers, 'createGuestDelivery', { body }).catch(withoutId)
    const { delivery, guestToken } = given(answer)
    return { delivery, guestToken, stale: [], bytes: answer.bytes }
  },

  acceptDelivery: async (tools, entry, papers) =>
    aboutDelivery(await ask(tools, entry, papers, 'acceptDelivery', { id: papers.id })),

  pickUpDelivery: (tools, entry, papers) => changeStatus(tools, entry, papers, 'Picked Up'),

  completeDelivery: async (tools, entry, papers) =>
    aboutDelivery(
      await ask(tools, entry, papers, 'completeDelivery', {
        id: papers.id,
        body: { code: entry.input.code },
      }),
    ),

  attachProof: async (tools, entry, papers) => {
    const row = await tools.db.deliveries.get([entry.account, entry.lane])
    const status = (row?.server ?? row?.view)?.status ?? 'Delivered'
    return changeStatus(
      tools,
      entry,
      papers,
      status,
      await hosted(tools, papers, entry.input.photo),
    )
  },

  approveDelivery: (tools, entry, papers) => changeStatus(tools, entry, papers, 'Approved'),
  cancelDelivery: (tools, entry, papers) => changeStatus(tools, entry, papers, 'Cancelled'),

  reportIssue: async (tools, entry, papers) => {
    const { issue, type } = entry.input
    const { id, guestPhone } = papers
    const body = { deliveryId: id, issue, type, priority: 'medium', guestPhone }
    const op = entry.account === guestAccount ? 'createGuestDispute' : 'createDispute'
    return { stale: [], bytes: (await ask(tools, entry, papers, op, { body })).bytes }
  },

  changePhone: async (tools, entry, papers) => {
    const { phone_number } = entry.input
    const answer = await ask(tools, entry, papers, 'changePhone', { body: { phone_number } })
    return { stale: ['me'], bytes: answer.bytes }
  },

  endSession: async (tools, entry, papers) => {
    const { id } = entry.input
    // One that is over already is what was asked for.
    const answer = await ask(tools, entry, papers, 'endSession', { id }).catch((error: unknown) => {
      if (error instanceof Refused && error.status === 404) return undefined
      throw error
    })
    // Before the entry ends: else the device would look signed in until the next pull.
    await tools.db.ownSessions.delete([entry.account, id])
    return { stale: ['sessions'], bytes: answer?.bytes ?? 0 }
  },

  reviewDriver: async (tools, entry, papers) => {
    const { id, status } = entry.input
    const answer = await ask(tools, entry, papers, 'reviewDriver', { id, body: { status } })
    // Before the entry ends: else the driver would look undecided until the next pull.
    await tools.db.drivers.update([entry.account, id], { Status: given(answer).driver.Status })
    return { stale: await staleAfter(tools, entry, 'adminDrivers'), bytes: answer.bytes }
  },

  resolveDispute: async (tools, entry, papers) => {
    const { id, resolution } = entry.input
    const body = { status: 'resolved', resolution }
    const answer = await ask(tools, entry, papers, 'resolveDispute', { id, body })
    await tools.db.disputes.update([entry.account, id], given(answer).dispute)
    return { stale: await staleAfter(tools, entry, 'adminDisputes'), bytes: answer.bytes }
  },

  addZone: async (tools, entry, papers) => {
    const { bytes } = await ask(tools, entry, papers, 'addZone', { body: entry.input })
    return { stale: ['zones'], bytes }
  },
  removeZone: async (tools, entry, papers) => {
    const { bytes } = await ask(tools, entry, papers, 'removeZone', { id: entry.input.id })
    return { stale: ['zones'], bytes }
  },
  addItem: async (tools, entry, papers) => {
    const { bytes } = await ask(tools, entry, papers, 'addItem', { body: entry.input })
    return { stale: ['items'], bytes }
  },
  removeItem: async (tools, entry, papers) => {
    const { bytes } = await ask(tools, entry, papers, 'removeItem', { id: entry.input.id })
    return { stale: ['items'], bytes }
  },
}

/** Every page of an admin's list that was ever pulled, and what counts its rows. */
async function staleAfter({ db }: Tools, { account }: Entry, list: string): Promise<string[]> {
  const pulls = await db.pulls
    .where('[account+list]')
    .between([account, list], [account, `${list}\uffff`])
    .toArray()
  return ['adminStats', 'adminActivities', ...pulls.map((pulled) => pulled.list)]
}

async function changeStatus(
  tools: Tools,
  entry: Entry<'pickUpDelivery' | 'attachProof' | 'approveDelivery' | 'cancelDelivery'>,
  papers: Papers,
  status: string,
  proofOfDelivery?: string,
): Promise<Told> {
  const { id, guestPhone } = papers
  const guest = entry.account === guestAccount
  return aboutDelivery(
    guest
      ? await ask(tools, entry, papers, 'changeGuestStatus', { id, body: { status, guestPhone } })
      : await ask(tools, entry, papers, 'changeStatus', { id, body: { status, proofOfDelivery } }),
  )
}

/** One call with the entry's own key, clock and token, and an end to patience. */
async function ask<O extends Op>(
  tools: Tools,
  entry: Entry,
  papers: Papers,
  op: O,
  question: Question,
): Promise<Answer<O>> {
  const { signal, clear } = deadline(tools.clock, patience)
  try {
    return await call(tools.transport, tools.base, op, {
      ...question,
      key: entry.id,
      occurredAt: entry.occurredAt,
      token: papers.token,
      signal,
    })
  } finally {
    clear()
  }
}

async function hosted({ db }: Tools, { urls }: Papers, photo: string): Promise<string> {
  const url = urls.get(photo) ?? (await db.photos.get(photo))?.url
  if (!url) throw new Refusal('photo-not-hosted')
  urls.set(photo, url)
  return url
}

const given = <O extends Op>(answer: Answer<O>) => {
  if (!answer.value) throw new Unreachable('Not our answer', { status: answer.status })
  return answer.value
}

/** An answer that is ours but for the ID: asking again would bring the same (spec §8, Send). */
function withoutId(error: unknown): never {
  const cause = error instanceof Unreachable ? error.cause : undefined
  const issues = cause instanceof z.core.$ZodError ? cause.issues : []
  const lacksId = issues.length > 0 && issues.every(({ path }) => path.join('.') === 'delivery.ID')
  if (lacksId) throw new Refusal('invalid', 'Failed to create delivery - invalid response')
  throw error
}

type DeliveryOp =
  | 'createDelivery'
  | 'acceptDelivery'
  | 'completeDelivery'
  | 'changeStatus'
  | 'changeGuestStatus'

const aboutDelivery = (answer: Answer<DeliveryOp>): Told => ({
  delivery: given(answer).delivery,
  stale: [],
  bytes: answer.bytes,
})
