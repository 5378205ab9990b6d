import * as z from 'zod/mini'
import type { CallInput, CallResult } from '#contract/calls/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { Refused, Unreachable, Unreadable } from '#contract/wire-errors.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import type { User } from '#domain/users/user.ts'
import { type OperationName, operations, requestOf } from '#operations/index.ts'
import { putState } from '#sync/database/device/state.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { listKey } from '#sync/lists/list-ref.ts'
import { pulledListsWith } from '#sync/lists/pulls.ts'
import type { Credentials, Memo, ServerReply } from '#sync/model.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import type { ReplyDetails } from '../deliveries/outbox-model.ts'
import { serverRow } from '../deliveries/row-schema.ts'
import { isEffectVisible } from '../entries/effect-visible.ts'
import type { Entry } from '../entries/operations.ts'
import type { SomaDb } from '../soma-db.ts'
import { required, timedCall } from './timed-call.ts'

/** What one request is made with. */
export type Asking = {
  context: SyncContext<SomaDb>
  entry: Entry
  credentials: Credentials
  /** Addresses of photos the provider has, as far as this drain knows. */
  photoUrls: Memo
}

/** The call of the endpoint table that an entry asks for, and what it sends. */
export type EntryCall = { op: Op; input: Pick<CallInput, 'id' | 'query' | 'body'> }

/** What the response to an operation means. */
type ResponseReader<C extends Op = Op> = {
  /** What it brings for the rows. */
  reply(asking: Asking, response: CallResult<C>): Promise<ServerReply> | ServerReply
  /** A failure that means something else: a refusal, or a reply where it stands for success. Else nothing. */
  onFailure?(asking: Asking, error: unknown): Promise<ServerReply | Refusal | undefined>
}

/** Operations that are calls; photos go to the image provider. */
type CallOp = Exclude<OperationName, 'uploadPhoto'>

const reader = <C extends Op>(about: ResponseReader<C>): ResponseReader => about as ResponseReader

/**
 * The reply of an operation that is refused because it has been done: the delivery as the server has it, where it shows
 * the effect (S75). Throws `Unreachable` where nobody says.
 */
async function shownEffect(asking: Asking): Promise<ServerReply | undefined> {
  const { context, entry, credentials, photoUrls } = asking
  const { id, token } = credentials
  try {
    const response = await timedCall(context, 'getDelivery', { id, token })
    const { delivery } = required(response)
    const isShown = isEffectVisible(entry, delivery, photoUrls.get(entry.photos[0] ?? ''))
    return isShown ? replyWith(response.bytes, { delivery }) : undefined
  } catch (error) {
    if (error instanceof Refused || error instanceof Unreadable) return undefined
    throw error
  }
}

/** The list of the delivery that an entry is about: reports have a lane of their own. */
const deliveryList = ({ credentials }: Asking) => listKey({ kind: 'delivery', id: credentials.id })

/** The response is the delivery as it is now. */
const ofDelivery = reader<DeliveryCall>({
  // With 202 a report has opened a dispute (R124), and the list of the delivery brings it.
  reply: (asking, response) =>
    replyWith(response.bytes, {
      delivery: required(response).delivery,
      ...(response.status === 202 ? { status: 202, staleLists: [deliveryList(asking)] } : {}),
    }),
  onFailure: async (asking, error) =>
    error instanceof Refused && error.status === 409 ? shownEffect(asking) : undefined,
})
type DeliveryCall = 'completeDelivery' | 'changeStatus'

/** The response is the delivery with a report about it, which the list of the delivery brings. */
const withReport = reader<'contestPickUp' | 'reportUnpaid'>({
  reply: (asking, response) =>
    replyWith(response.bytes, {
      delivery: required(response).delivery,
      staleLists: [deliveryList(asking)],
    }),
})

/** The response says that it is done: these lists are pulled anew. */
const ofLists = (lists: (asking: Asking) => string[]) =>
  reader({
    reply: (asking, { bytes }) => replyWith(bytes, { staleLists: lists(asking) }),
  })

/** Lists in which the office sees every decision. */
const overview = ['adminStats', 'adminActivities']

/**
 * What an admin decided, in the row it is about, with the time at which it came (S78). `decided` names fields that the
 * response leaves out when they have ended, such as a lifted suspension: those go from the row. Every page that was
 * pulled of these lists is pulled anew.
 */
const decision = <C extends Op>(about: {
  table: 'drivers' | 'disputes' | 'payouts' | 'users'
  decided: (value: NonNullable<CallResult<C>['value']>) => object
  lists: (id: string) => string[]
}) =>
  reader<C>({
    reply: async (
      { context: { db, clock }, entry: { account }, credentials: { id } },
      response,
    ) => {
      const decided = about.decided(required(response))
      // Before the entry ends: else the row would look undecided until the next pull.
      const changes = { ...decided, serverAt: clock.monotonic() }
      await db.table(about.table).update([account, id], changes)
      const lists = about.lists(id).map((list) => pulledListsWith(db, account, list))
      return replyWith(response.bytes, { staleLists: (await Promise.all(lists)).flat() })
    },
  })

/** What the responses to operations mean that bring more than a delivery. */
const otherReaders: Partial<Record<CallOp, ResponseReader>> = {
  createDelivery: reader<'createDelivery'>({
    reply: (_, response) => {
      const { delivery } = required(response)
      return replyWith(response.bytes, { delivery, id: delivery.ID })
    },
  }),

  createGuestDelivery: reader<'createGuestDelivery'>({
    reply: (_, response) => {
      const { delivery, guestToken: token } = required(response)
      const guest = token === undefined ? undefined : { token, createdAt: delivery.createdAt }
      return replyWith(response.bytes, { delivery, id: delivery.ID, details: { guest } })
    },
    onFailure: async (_, error) => (lacksId(error) ? withoutId() : tokenIn(error)),
  }),

  acknowledgeCancel: {
    ...ofDelivery,
    // There is nothing to confirm any more: what has become of the job its lists say.
    onFailure: async (asking, error) =>
      error instanceof Refused && error.status !== 401
        ? replyWith(0, { staleLists: [deliveryList(asking)] })
        : undefined,
  },

  contestPickUp: withReport,
  reportUnpaid: withReport,

  changeDriverCard: reader<'changeDriverCard'>({
    reply: async (asking, { value, bytes }) => {
      const { photo, licence, licencePending } = value?.user ?? {}
      if (value) await saveOwn(asking, { photo, licence, licencePending })
      return replyWith(bytes, { staleLists: ['me'] })
    },
  }),

  changeNotifications: reader<'changeNotifications'>({
    reply: async (asking, { value, bytes }) => {
      if (value) await saveOwn(asking, { notifications: value.user.notifications })
      return replyWith(bytes, { staleLists: ['me'] })
    },
  }),

  changeCommutes: reader<'changeCommutes'>({
    reply: async (asking, { value, bytes }) => {
      if (value) await saveOwn(asking, { commutes: value.user.commutes })
      return replyWith(bytes, { staleLists: ['me'] })
    },
  }),

  reportIssue: ofLists((asking) => [deliveryList(asking)]),
  changePhone: ofLists(() => ['me']),

  endSession: reader<'endSession'>({
    reply: (asking, { bytes }) => sessionEnded(asking, bytes),
    // Already signed out: counts as success.
    onFailure: async (asking, error) =>
      error instanceof Refused && error.status === 404 ? sessionEnded(asking, 0) : undefined,
  }),

  reviewDriver: decision<'reviewDriver'>({
    table: 'drivers',
    decided: ({ driver: { Status, licence, licencePending } }) => ({
      Status,
      licence,
      licencePending,
    }),
    lists: () => [...overview, 'adminDrivers'],
  }),
  resolveDispute: decision<'resolveDispute'>({
    table: 'disputes',
    decided: ({ dispute }) => dispute,
    lists: () => [...overview, 'adminDisputes'],
  }),
  settlePayout: decision<'settlePayout'>({
    table: 'payouts',
    decided: ({ payout }) => ({ message: undefined, sendsAt: undefined, ...payout }),
    lists: () => ['adminPayouts', 'adminMoney'],
  }),
  suspendUser: decision<'suspendUser'>({
    table: 'users',
    decided: ({ user }) => ({ suspended: undefined, ...user }),
    lists: (id) => [...overview, 'adminUsers', listKey({ kind: 'adminUser', id })],
  }),
  reportFor: ofLists((asking) => [deliveryList(asking)]),
  sendCode: ofLists(() => []),
  addNote: reader<'addNote'>({
    reply: async ({ credentials: { id } }, { bytes }) =>
      replyWith(bytes, { staleLists: [listKey({ kind: 'adminUser', id })] }),
  }),

  addZone: ofLists(() => ['zones']),
  changeZone: ofLists(() => ['zones']),
  removeZone: ofLists(() => ['zones']),
  addItem: ofLists(() => ['items']),
  changeItem: ofLists(() => ['items']),
  removeItem: ofLists(() => ['items']),
  changeSettings: reader<'changeSettings'>({
    reply: async ({ context }, response) => {
      // Before the entry ends: else the settings would look unchanged until the next pull.
      await putState(context.db, 'officeSettings', required(response).settings)
      return replyWith(response.bytes, { staleLists: ['config', 'adminSettings'] })
    },
  }),
}

/** What the response to an operation means that is a call. */
export const responseReaderOf = (op: OperationName): ResponseReader =>
  otherReaders[op as CallOp] ?? ofDelivery

/** Every operation that is a call. */
export const callOps = (Object.keys(operations) as OperationName[]).filter(
  (op) => op !== 'uploadPhoto',
)

/**
 * What an entry sends follows from the entry alone, so that a repeat is the same (S43). Throws `Refusal` when it cannot
 * be asked for at all.
 */
export async function callOf(asking: Asking): Promise<EntryCall> {
  const { entry, credentials } = asking
  const input = await inputOf(asking)
  const photo = 'photo' in input ? input.photo : undefined
  const { op, ...rest } = requestOf(entry.op, input, {
    id: credentials.id,
    isGuest: entry.account === guestAccount,
    guestPhone: credentials.guestPhone,
    photoUrl: photo ? await photoUrl(asking, photo) : undefined,
  })
  return { op: op as Op, input: rest }
}

/** An entry of an earlier release does not name the status that was shown when its photo was taken. */
async function inputOf({ context, entry }: Asking): Promise<Entry['input']> {
  const { input } = entry
  if (entry.op !== 'attachProof' || 'status' in input) return input
  const row = await context.db.deliveries.get([entry.account, entry.lane])
  // Of a delivery that the server does not know, the status on the screen.
  return { ...input, status: row && (serverRow(row) ?? row.view).status } as Entry['input']
}

/** What an upload brings. `url`: where the image provider keeps the photo. */
export const replyOfUpload = (url: string, bytes: number): ServerReply =>
  replyWith(bytes, { details: { url } })

async function sessionEnded(
  { context, entry, credentials }: Asking,
  bytes: number,
): Promise<ServerReply> {
  // Before the entry ends: else the device would look signed in until the next pull.
  await context.db.ownSessions.delete([entry.account, credentials.id])
  return replyWith(bytes, { staleLists: ['sessions'] })
}

async function photoUrl({ context, photoUrls }: Asking, photo: string): Promise<string> {
  const url = photoUrls.get(photo) ?? (await context.db.photos.get(photo))?.url
  if (!url) throw new Refusal('photo-not-hosted')
  photoUrls.set(photo, url)
  return url
}

/** Whether a response is ours but for the ID: asking again would bring the same. */
function lacksId(error: unknown): boolean {
  const cause = error instanceof Unreachable ? error.cause : undefined
  const issues = cause instanceof z.core.$ZodError ? cause.issues : []
  return issues.length > 0 && issues.every(({ path }) => path.at(-1) === 'ID')
}

/** A guest's create that this version cannot read: what proves the guest is kept all the same. */
function tokenIn(error: unknown): ServerReply | undefined {
  const response = error instanceof Unreadable ? GuestResponse.safeParse(error.body) : undefined
  if (!response?.success) return undefined
  const { guestToken: token, delivery } = response.data
  return replyWith(0, {
    id: delivery.ID,
    details: { guest: { token, createdAt: delivery.createdAt } },
  })
}

const GuestResponse = z.object({
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

/** Before the entry ends: else the person would look unchanged until the next pull. */
const saveOwn = (
  { context: { db }, entry }: Asking,
  change: Pick<User, 'notifications' | 'commutes' | 'photo' | 'licence' | 'licencePending'>,
): Promise<void> =>
  db.transaction('rw', db.sessions, async () => {
    const session = await db.sessions.get('current')
    if (session?.account !== entry.account) return
    await db.sessions.update('current', { user: { ...session.user, ...change } })
  })

const replyWith = (
  bytes: number,
  { delivery, id, staleLists = [], details, status }: More = {},
): ServerReply => ({
  rows: delivery ? [delivery] : [],
  id,
  staleLists,
  bytes,
  details,
  status,
})
