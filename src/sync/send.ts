import * as z from 'zod/mini'
import { type Answer, call, type Question } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { Unreachable } from '#contract/errors.ts'
import type { Delivery } from '#domain/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { guestAccount } from '#store/db.ts'
import { resolveId } from '#store/device.ts'
import type { Entry, OutboxOp } from '#store/entry.ts'
import { deadline, type Tools } from './tools.ts'
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
export async function sendEntry(tools: Tools, entry: Entry): Promise<Told> {
  const send = senders[entry.op] as (tools: Tools, entry: Entry) => Promise<Told>
  return send(tools, entry)
}

type Senders = { [O in OutboxOp]: (tools: Tools, entry: Entry<O>) => Promise<Told> }

const senders: Senders = {
  uploadPhoto: async (tools, entry) => {
    const photo = await tools.db.photos.get(entry.input.photo)
    if (!photo) throw new Refusal('photo-not-hosted', 'The photo is no longer on this phone.')
    if (photo.url) return { url: photo.url, stale: [], bytes: 0 }
    return {
      url: await uploadPhoto(tools, photo.bytes, photo.type),
      stale: [],
      bytes: photo.bytes.byteLength,
    }
  },

  createDelivery: async (tools, entry) => {
    const { photo, ...rest } = entry.input
    const body = { ...rest, itemPhoto: await hosted(tools, photo) }
    return aboutDelivery(await ask(tools, entry, 'createDelivery', { body }))
  },

  createGuestDelivery: async (tools, entry) => {
    const { photo, ...rest } = entry.input
    const body = { ...rest, itemPhoto: await hosted(tools, photo) }
    const answer = await ask(tools, entry, 'createGuestDelivery', { body }).catch(withoutId)
    const { delivery, guestToken } = given(answer)
    return { delivery, guestToken, stale: [], bytes: answer.bytes }
  },

  acceptDelivery: async (tools, entry) =>
    aboutDelivery(await ask(tools, entry, 'acceptDelivery', await idOf(tools, entry))),

  pickUpDelivery: (tools, entry) => changeStatus(tools, entry, 'Picked Up'),

  completeDelivery: async (tools, entry) =>
    aboutDelivery(
      await ask(tools, entry, 'completeDelivery', {
        ...(await idOf(tools, entry)),
        body: { code: entry.input.code },
      }),
    ),

  attachProof: async (tools, entry) => {
    const row = await tools.db.deliveries.get([entry.account, entry.lane])
    const status = (row?.server ?? row?.view)?.status ?? 'Delivered'
    return changeStatus(tools, entry, status, await hosted(tools, entry.input.photo))
  },

  approveDelivery: (tools, entry) => changeStatus(tools, entry, 'Approved'),
  cancelDelivery: (tools, entry) => changeStatus(tools, entry, 'Cancelled'),

  reportIssue: async (tools, entry) => {
    const { issue, type } = entry.input
    const { id, guestPhone } = await idOf(tools, entry)
    const body = { deliveryId: id, issue, type, priority: 'medium', guestPhone }
    const op = entry.account === guestAccount ? 'createGuestDispute' : 'createDispute'
    return { stale: [], bytes: (await ask(tools, entry, op, { body })).bytes }
  },

  changePhone: async (tools, entry) => {
    const answer = await ask(tools, entry, 'changePhone', { body: entry.input })
    return { stale: ['me'], bytes: answer.bytes }
  },

  reviewDriver: async (tools, entry) => {
    const { id, status } = entry.input
    const answer = await ask(tools, entry, 'reviewDriver', { id, body: { status } })
    // Before the entry ends: else the driver would look undecided until the next pull.
    await tools.db.drivers.update([entry.account, id], { Status: given(answer).driver.Status })
    return { stale: await staleAfter(tools, entry, 'adminDrivers'), bytes: answer.bytes }
  },

  resolveDispute: async (tools, entry) => {
    const { id, resolution } = entry.input
    const body = { status: 'resolved', resolution }
    const answer = await ask(tools, entry, 'resolveDispute', { id, body })
    await tools.db.disputes.update([entry.account, id], given(answer).dispute)
    return { stale: await staleAfter(tools, entry, 'adminDisputes'), bytes: answer.bytes }
  },

  addZone: async (tools, entry) => {
    const { bytes } = await ask(tools, entry, 'addZone', { body: entry.input })
    return { stale: ['zones'], bytes }
  },
  removeZone: async (tools, entry) => {
    const { bytes } = await ask(tools, entry, 'removeZone', { id: entry.input.id })
    return { stale: ['zones'], bytes }
  },
  addItem: async (tools, entry) => {
    const { bytes } = await ask(tools, entry, 'addItem', { body: entry.input })
    return { stale: ['items'], bytes }
  },
  removeItem: async (tools, entry) => {
    const { bytes } = await ask(tools, entry, 'removeItem', { id: entry.input.id })
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
  status: string,
  proofOfDelivery?: string,
): Promise<Told> {
  const { id, guestPhone } = await idOf(tools, entry)
  const guest = entry.account === guestAccount
  return aboutDelivery(
    guest
      ? await ask(tools, entry, 'changeGuestStatus', { id, body: { status, guestPhone } })
      : await ask(tools, entry, 'changeStatus', { id, body: { status, proofOfDelivery } }),
  )
}

/** One call with the entry's own key, clock and token, and an end to patience. */
async function ask<O extends Op>(
  tools: Tools,
  entry: Entry,
  op: O,
  question: Question,
): Promise<Answer<O>> {
  const { signal, clear } = deadline(tools.clock, patience)
  try {
    return await call(tools.transport, tools.base, op, {
      ...question,
      key: entry.id,
      occurredAt: entry.occurredAt,
      token: await tokenFor(tools, entry),
      signal,
    })
  } finally {
    clear()
  }
}

/** The person's own token, or the guest token of the delivery an entry is about. */
async function tokenFor({ db }: Tools, entry: Entry): Promise<string | undefined> {
  if (entry.account !== guestAccount) return (await db.sessions.get('current'))?.token
  if (!('id' in entry.input)) return undefined
  return (await db.guests.get(await resolveId(db, guestAccount, entry.input.id)))?.guestToken
}

async function idOf({ db }: Tools, entry: Entry): Promise<{ id: string; guestPhone?: string }> {
  const id = await resolveId(db, entry.account, 'id' in entry.input ? entry.input.id : entry.lane)
  const record = entry.account === guestAccount ? await db.guests.get(id) : undefined
  return { id, guestPhone: record?.senderPhone }
}

async function hosted({ db }: Tools, photo: string): Promise<string> {
  const url = (await db.photos.get(photo))?.url
  if (!url) throw new Refusal('photo-not-hosted')
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
