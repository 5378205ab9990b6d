import { type CallInput, call } from '#contract/calls/call.ts'
import type { Op } from '#contract/endpoints.ts'
import type { BodyOf } from '#contract/queries.ts'
import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import type { User } from '#domain/users/user.ts'
import { createServer } from '#server/app.ts'
import type { Ports } from '#server/ports/ports.ts'
import { newSession } from '#server/rules/accounts/new-session.ts'
import { imageUploadsTo } from './image-uploads.ts'
import { personas } from './personas.ts'
import type { Random } from './random.ts'
import { randomProof, randomRequest } from './requests.ts'
import { residents } from './residents.ts'
import { guestToken, residentToken } from './tokens.ts'

/** The state of the city at one moment, as far as the simulation needs it. */
export type CityView = {
  /** Milliseconds. */
  now: number
  /** Residents with a verified account, without the personas. */
  residents: User[]
  unfinished: Delivery[]
  /** True when a resident or one of the city's guests requested it; false for the visitor's. */
  isByResident(delivery: Delivery): boolean
}

/** What residents can do: each is a call of the real server, or two. Throws as `call` does. */
export type CityActions = {
  request(sender: User): Promise<unknown>
  accept(driver: User, delivery: Delivery): Promise<unknown>
  pickUp(driver: User, delivery: Delivery): Promise<unknown>
  /** With the delivery code, which the recipient tells the driver. */
  deliver(driver: User, delivery: Delivery): Promise<unknown>
  approve(delivery: Delivery): Promise<unknown>
}

/** The city as the simulation reads and changes it. `close` ends its own server. */
export function openCity(ports: Ports, random: Random) {
  const { server, ask } = openServer(ports)
  const context: Context = { ports, random, ask }
  return {
    ...senderActions(context),
    ...driverActions(context),
    view: () => viewOf(ports),
    close: () => server.close(),
  }
}

type Ask = <O extends Op>(
  op: O,
  question: CallInput & { body?: BodyOf<O> },
) => ReturnType<typeof call<O>>
type Context = { ports: Ports; random: Random; ask: Ask }

/** A server over the same stores. The visitor's inbox gets none of the texts that it sends. */
function openServer(ports: Ports) {
  const sms = { send: async () => undefined }
  const server = createServer({ ...ports, sms, metrics: undefined, pages: undefined })
  const ask: Ask = (op, question) =>
    call((request) => server.fetch(request), 'https://soma.invalid/api', op, question)
  return { server, ask }
}

/** A token of this account, with the session that a login would have started. */
async function signedIn(
  { repo, secrets, clock }: Ports,
  userId: string,
): Promise<{ token: string }> {
  const token = residentToken(secrets, userId)
  const hash = secrets.hash(token)
  const at = new Date(clock()).toISOString()
  await repo.transaction(async ({ sessions }) => {
    if (!(await sessions.find(hash))) await sessions.add(newSession(secrets, token, userId, at))
  })
  return { token }
}

type SenderAction = 'request' | 'approve'

function senderActions({ ports, random, ask }: Context): Pick<CityActions, SenderAction> {
  return {
    async request({ ID }) {
      const uploads = imageUploadsTo(ports)
      const body = randomRequest(random, uploads)
      await uploads.store()
      return ask('createDelivery', { ...(await signedIn(ports, ID)), body })
    },
    async approve({ ID: id, sender, senderPhone: guestPhone = '' }) {
      const said = { status: 'Approved' as const, paidBy: 'momo' as const }
      if (sender)
        return ask('changeStatus', { ...(await signedIn(ports, sender.id)), id, body: said })
      const token = guestToken(ports.secrets, id)
      return ask('changeGuestStatus', { token, id, body: { ...said, guestPhone } })
    },
  }
}

function driverActions({ ports, random, ask }: Context): Omit<CityActions, SenderAction> {
  const as = (userId: string) => signedIn(ports, userId)
  return {
    accept: async (driver, { ID: id }) => ask('acceptDelivery', { ...(await as(driver.ID)), id }),
    pickUp: async (driver, { ID: id }) =>
      ask('changeStatus', { ...(await as(driver.ID)), id, body: { status: 'Picked Up' } }),
    async deliver(driver, { ID: id, deliveryCode: code = '', itemDescription }) {
      const job = { ...(await as(driver.ID)), id }
      await ask('completeDelivery', { ...job, body: { code } })
      if (random.chance(0.5)) return
      const uploads = imageUploadsTo(ports)
      const proofOfDelivery = randomProof(random, uploads, itemDescription)
      await uploads.store()
      if (proofOfDelivery)
        await ask('changeStatus', { ...job, body: { status: 'Delivered', proofOfDelivery } })
    },
  }
}

const unfinished: Status[] = ['Pending', 'Accepted', 'Picked Up', 'Delivered']
const mostRows = 1_000
/** Guest tokens expire some time after their delivery ended; with this limit none has expired. */
const beforeAnyEnd = new Date(0).toISOString()

const personaIds = new Set<string>(
  Object.values(personas).flatMap((persona) => ('id' in persona ? persona.id : [])),
)
const residentEmails = new Set(residents.map(({ email }) => email))

function viewOf({ repo, secrets, clock }: Ports): Promise<CityView> {
  return repo.read(async ({ users, deliveries, guestTokens }) => {
    const { rows: accounts } = await users.list({ limit: mostRows })
    const active = accounts.filter(
      ({ ID, email, Verified }) => Verified && residentEmails.has(email) && !personaIds.has(ID),
    )
    const { rows } = await deliveries.list(
      { of: 'everyone', statuses: unfinished },
      { limit: mostRows },
    )
    const ofGuests = new Set<string>()
    for (const { ID, isGuestDelivery } of rows) {
      if (!isGuestDelivery) continue
      const hash = secrets.hash(guestToken(secrets, ID))
      if (await guestTokens.find(hash, beforeAnyEnd)) ofGuests.add(ID)
    }
    const senders = new Set(active.map(({ ID }) => ID))
    return {
      now: clock(),
      residents: active,
      unfinished: rows,
      isByResident: ({ ID, sender }) => (sender ? senders.has(sender.id) : ofGuests.has(ID)),
    }
  })
}
