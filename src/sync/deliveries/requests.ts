import * as z from 'zod/mini'
import type { CallInput, CallResult } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { Refused, Unreachable, Unreadable } from '#contract/errors.ts'
import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { guestAccount } from '#store/database/engine-db.ts'
import { listKey } from '#store/database/lists.ts'
import { pulledListsWith } from '#store/database/pulls/pulls.ts'
import type { Entry, OutboxOp } from '#store/deliveries/operations.ts'
import type { ReplyDetails } from '#store/deliveries/outbox-product.ts'
import {
  deliveryStatus,
  removeOwnSession,
  saveDispute,
  saveDriverDecision,
  saveOwnChange,
  storedPhoto,
} from '#store/deliveries/save/replies.ts'
import type { Credentials } from '#store/outbox/credentials.ts'
import type { ServerReply } from '#store/outbox/product.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { SyncContext } from '../platform/context.ts'
import type { Memo } from '../push/product.ts'

/** What one request is made with. */
export type Asking<O extends OutboxOp = OutboxOp> = {
  context: SyncContext<SomaDb>
  entry: Entry<O>
  credentials: Credentials
  /** Addresses of photos the provider has, as far as this drain knows. */
  photoUrls: Memo
}

/** The call of the endpoint table that an entry asks for, and what it sends. */
export type EntryCall<C extends Op = Op> = { op: C; input: Pick<CallInput, 'id' | 'body'> }

/** How one operation is asked for. What it sends follows from the entry alone, so that a repeat is the same (S43). */
type Request<O extends OutboxOp, C extends Op> = {
  /** Throws `Refusal` when it cannot be asked at all. */
  call(asking: Asking<O>): Promise<EntryCall<C>> | EntryCall<C>
  /** What the answer brings for the rows. */
  reply(asking: Asking<O>, answer: CallResult<C>): Promise<ServerReply> | ServerReply
  /** A failure that means something else: a refusal, or a reply where it stands for success. Else nothing. */
  onFailure?(asking: Asking<O>, error: unknown): Promise<ServerReply | Refusal | undefined>
}

/** An operation of the table, whichever it is. */
export type AnyRequest = Request<OutboxOp, Op>

/** Operations that are calls; photos go to the image provider. */
type CallOp = Exclude<OutboxOp, 'uploadPhoto'>

const request = <O extends OutboxOp, C extends Op>(about: Request<O, C>): Request<O, C> => about

type DeliveryOp =
  | 'acceptDelivery'
  | 'completeDelivery'
  | 'changeStatus'
  | 'changeGuestStatus'
  | 'acknowledgeCancel'
  | 'contestPickUp'
  | 'releaseJob'
  | 'reportAttempt'
  | 'startReturn'
  | 'confirmReturn'
  | 'renewCode'
  | 'rateDelivery'

const ofDelivery = <O extends OutboxOp>(call: Request<O, DeliveryOp>['call']) =>
  request<O, DeliveryOp>({
    call,
    // With 202 a report has opened a dispute (R124), and the list of the delivery brings it.
    reply: ({ entry }, answer) =>
      replyWith(answer.bytes, {
        delivery: required(answer).delivery,
        ...(answer.status === 202 ? { status: 202, staleLists: [deliveryList(entry)] } : {}),
      }),
  })

const deliveryList = ({ lane }: Entry) => listKey({ kind: 'delivery', id: lane })

const ofStatus = (status: Status) =>
  ofDelivery<'pickUpDelivery' | 'approveDelivery' | 'cancelDelivery'>((asking) =>
    statusCall(asking, status),
  )

/** A zone or an item type: the list is pulled anew. */
const ofChoice = <O extends CallOp, C extends Op>(op: C, list: string, by: 'body' | 'id') =>
  request<O, C>({
    call: ({ entry }) => ({
      op,
      input: by === 'body' ? { body: entry.input } : { id: (entry.input as { id: string }).id },
    }),
    reply: (_, { bytes }) => replyWith(bytes, { staleLists: [list] }),
  })

/** The call of each operation, and what its answer means. */
const requests = {
  createDelivery: request<'createDelivery', 'createDelivery'>({
    call: async (asking) => ({ op: 'createDelivery', input: { body: await bodyOfCreate(asking) } }),
    reply: (_, answer) => {
      const { delivery } = required(answer)
      return replyWith(answer.bytes, { delivery, id: delivery.ID })
    },
  }),

  createGuestDelivery: request<'createGuestDelivery', 'createGuestDelivery'>({
    call: async (asking) => ({
      op: 'createGuestDelivery',
      input: { body: await bodyOfCreate(asking) },
    }),
    reply: (_, answer) => {
      const { delivery, guestToken: token } = required(answer)
      const guest = token === undefined ? undefined : { token, createdAt: delivery.createdAt }
      return replyWith(answer.bytes, { delivery, id: delivery.ID, details: { guest } })
    },
    onFailure: async (_, error) => (lacksId(error) ? withoutId() : tokenIn(error)),
  }),

  acceptDelivery: ofDelivery<'acceptDelivery'>(({ credentials: { id } }) => ({
    op: 'acceptDelivery',
    input: { id },
  })),
  pickUpDelivery: ofStatus('Picked Up'),
  completeDelivery: ofDelivery<'completeDelivery'>(({ credentials: { id }, entry }) => ({
    op: 'completeDelivery',
    input: { id, body: { code: entry.input.code, handoverSecret: entry.input.handoverSecret } },
  })),
  acknowledgeCancel: {
    ...ofDelivery<'acknowledgeCancel'>(({ credentials: { id } }) => ({
      op: 'acknowledgeCancel',
      input: { id },
    })),
    // There is nothing to confirm any more: what has become of the job its lists say.
    onFailure: ({ entry }: Asking, error: unknown) =>
      Promise.resolve(
        error instanceof Refused && error.status !== 401
          ? replyWith(0, { staleLists: [deliveryList(entry)] })
          : undefined,
      ),
  },
  contestPickUp: {
    ...ofDelivery<'contestPickUp'>(({ credentials: { id, guestPhone }, entry }) => ({
      op: 'contestPickUp',
      input: { id, body: { reason: entry.input.reason, guestPhone } },
    })),
    reply: ({ entry }: Asking, answer: CallResult<'contestPickUp'>) =>
      replyWith(answer.bytes, {
        delivery: required(answer).delivery,
        staleLists: [deliveryList(entry)],
      }),
  },
  releaseJob: ofDelivery<'releaseJob'>(({ credentials: { id }, entry }) => ({
    op: 'releaseJob',
    input: { id, body: { reason: entry.input.reason } },
  })),
  reportAttempt: ofDelivery<'reportAttempt'>(async (asking) => {
    const { reason, note, photo } = asking.entry.input
    const url = photo && (await photoUrl(asking, photo))
    return {
      op: 'reportAttempt',
      input: { id: asking.credentials.id, body: { reason, note, photo: url } },
    }
  }),
  startReturn: ofDelivery<'startReturn'>(({ credentials: { id }, entry }) => ({
    op: 'startReturn',
    input: { id, body: { note: entry.input.note } },
  })),
  confirmReturn: ofDelivery<'confirmReturn'>(({ credentials: { id, guestPhone } }) => ({
    op: 'confirmReturn',
    input: { id, body: { guestPhone } },
  })),
  renewCode: ofDelivery<'renewCode'>(({ credentials: { id, guestPhone } }) => ({
    op: 'renewCode',
    input: { id, body: { guestPhone } },
  })),
  rateDelivery: ofDelivery<'rateDelivery'>(({ credentials: { id, guestPhone }, entry }) => ({
    op: 'rateDelivery',
    input: { id, body: { stars: entry.input.stars, words: entry.input.words, guestPhone } },
  })),
  changeDriverCard: request<'changeDriverCard', 'changeDriverCard'>({
    call: async (asking) => {
      const { photo, ...licence } = asking.entry.input
      const url = photo ? await photoUrl(asking, photo) : photo
      return { op: 'changeDriverCard', input: { body: { ...licence, photo: url } } }
    },
    reply: async (asking, { value, bytes }) => {
      const { photo, licence, licencePending } = value?.user ?? {}
      if (value) await saveOwn(asking, { photo, licence, licencePending })
      return replyWith(bytes, { staleLists: ['me'] })
    },
  }),
  changeNotifications: request<'changeNotifications', 'changeNotifications'>({
    call: ({ entry: { input } }) => ({ op: 'changeNotifications', input: { body: input } }),
    reply: async (asking, { value, bytes }) => {
      if (value) await saveOwn(asking, { notifications: value.user.notifications })
      return replyWith(bytes, { staleLists: ['me'] })
    },
  }),
  attachProof: ofDelivery<'attachProof'>(async (asking) => {
    const { entry } = asking
    const status = entry.input.status ?? (await statusOfEarlierRelease(asking))
    return statusCall(asking, status, await photoUrl(asking, entry.input.photo))
  }),
  approveDelivery: ofStatus('Approved'),
  cancelDelivery: ofStatus('Cancelled'),

  reportIssue: request<'reportIssue', 'createDispute' | 'createGuestDispute'>({
    call: ({ entry, credentials: { id, guestPhone } }) => {
      const { issue, type } = entry.input
      const body = { deliveryId: id, issue, type, priority: 'medium', guestPhone }
      const op = entry.account === guestAccount ? 'createGuestDispute' : 'createDispute'
      return { op, input: { body } }
    },
    reply: ({ entry }, { bytes }) => replyWith(bytes, { staleLists: [deliveryList(entry)] }),
  }),

  changePhone: request<'changePhone', 'changePhone'>({
    call: ({ entry: { input } }) => ({
      op: 'changePhone',
      input: { body: { phone_number: input.phone_number } },
    }),
    reply: (_, { bytes }) => replyWith(bytes, { staleLists: ['me'] }),
  }),

  endSession: request<'endSession', 'endSession'>({
    call: ({ entry }) => ({ op: 'endSession', input: { id: entry.input.id } }),
    reply: (asking, { bytes }) => sessionEnded(asking, bytes),
    // One that is over already is what was asked for.
    onFailure: async (asking, error) =>
      error instanceof Refused && error.status === 404 ? sessionEnded(asking, 0) : undefined,
  }),

  reviewDriver: request<'reviewDriver', 'reviewDriver'>({
    call: ({ entry: { input } }) => ({
      op: 'reviewDriver',
      input: { id: input.id, body: { status: input.status, licence: input.licence } },
    }),
    reply: async (asking, answer) => {
      const { account, input } = asking.entry
      const { driver } = required(answer)
      await saveDriverDecision(asking.context.db, account, input.id, driver)
      return replyWith(answer.bytes, { staleLists: await adminListsAfter(asking, 'adminDrivers') })
    },
  }),

  resolveDispute: request<'resolveDispute', 'resolveDispute'>({
    call: ({ entry: { input } }) => ({
      op: 'resolveDispute',
      input: {
        id: input.id,
        body: {
          status: 'resolved',
          resolution: input.resolution,
          decision: input.decision,
          driverShare: input.driverShare,
        },
      },
    }),
    reply: async (asking, answer) => {
      const { account, input } = asking.entry
      await saveDispute(asking.context.db, account, input.id, required(answer).dispute)
      return replyWith(answer.bytes, { staleLists: await adminListsAfter(asking, 'adminDisputes') })
    },
  }),

  addZone: ofChoice<'addZone', 'addZone'>('addZone', 'zones', 'body'),
  removeZone: ofChoice<'removeZone', 'removeZone'>('removeZone', 'zones', 'id'),
  addItem: ofChoice<'addItem', 'addItem'>('addItem', 'items', 'body'),
  removeItem: ofChoice<'removeItem', 'removeItem'>('removeItem', 'items', 'id'),
} satisfies Record<CallOp, unknown>

/** How an operation is asked for; nothing for an upload. */
export const requestOf = (op: string): AnyRequest | undefined =>
  Object.hasOwn(requests, op) ? (requests[op as CallOp] as AnyRequest) : undefined

/** Every operation that is a call. */
export const callOps = Object.keys(requests) as CallOp[]

/** What an upload brings. `url`: where the image provider keeps the photo. */
export const replyOfUpload = (url: string, bytes: number): ServerReply =>
  replyWith(bytes, { details: { url } })

async function bodyOfCreate(asking: Asking<'createDelivery' | 'createGuestDelivery'>) {
  const { photo, ...rest } = asking.entry.input
  return { ...rest, itemPhoto: await photoUrl(asking, photo) }
}

/** An entry of an earlier release does not name the status that was shown when it was made. */
const statusOfEarlierRelease = async ({ context, entry }: Asking): Promise<Status> =>
  (await deliveryStatus(context.db, entry.account, entry.lane)) ?? 'Delivered'

function statusCall(
  { entry, credentials: { id, guestPhone } }: Asking,
  status: Status,
  proofOfDelivery?: string,
): EntryCall<'changeStatus' | 'changeGuestStatus'> {
  return entry.account === guestAccount
    ? { op: 'changeGuestStatus', input: { id, body: { status, guestPhone } } }
    : { op: 'changeStatus', input: { id, body: { status, proofOfDelivery } } }
}

/** Every page of an admin's list that was ever pulled, and what counts its rows. */
async function adminListsAfter({ context, entry }: Asking, kind: string): Promise<string[]> {
  const pulled = await pulledListsWith(context.db, entry.account, kind)
  return ['adminStats', 'adminActivities', ...pulled]
}

async function sessionEnded(
  { context, entry }: Asking<'endSession'>,
  bytes: number,
): Promise<ServerReply> {
  await removeOwnSession(context.db, entry.account, entry.input.id)
  return replyWith(bytes, { staleLists: ['sessions'] })
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

/** Whether an answer is ours but for the ID: asking again would bring the same. */
function lacksId(error: unknown): boolean {
  const cause = error instanceof Unreachable ? error.cause : undefined
  const issues = cause instanceof z.core.$ZodError ? cause.issues : []
  return issues.length > 0 && issues.every(({ path }) => path.at(-1) === 'ID')
}

/** A guest's create that this version cannot read: what proves the guest is kept all the same. */
function tokenIn(error: unknown): ServerReply | undefined {
  const answer = error instanceof Unreadable ? GuestAnswer.safeParse(error.body) : undefined
  if (!answer?.success) return undefined
  const { guestToken: token, delivery } = answer.data
  return replyWith(0, {
    id: delivery.ID,
    details: { guest: { token, createdAt: delivery.createdAt } },
  })
}

const GuestAnswer = z.object({
  guestToken: z.string(),
  delivery: z.object({ ID: z.string(), createdAt: z.string() }),
})

const withoutId = () => new Refusal('invalid', 'Failed to create delivery - invalid response')

type More = {
  delivery?: Delivery
  id?: string
  staleLists?: string[]
  details?: ReplyDetails
  status?: number
}

const saveOwn = (
  { context, entry }: Asking,
  change: Parameters<typeof saveOwnChange>[2],
): Promise<void> => saveOwnChange(context.db, entry.account, change)

const replyWith = (
  bytes: number,
  { delivery, id, staleLists = [], details, status }: More = {},
): ServerReply => ({
  rows: delivery ? [delivery] : [],
  id,
  version: delivery?.updatedAt,
  staleLists,
  bytes,
  details,
  status,
})
