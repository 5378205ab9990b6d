import { type CallInput, call } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import type { BodyOf } from '#contract/queries.ts'
import type { Delivery, Status } from '#domain/delivery.ts'
import type { DisputeType } from '#domain/dispute.ts'
import type { User } from '#domain/user.ts'
import { createServer } from '#server/http/app.ts'
import type { Ports, SmsMessage } from '#server/ports/ports.ts'
import { newSession } from '#server/rules/accounts/new-session.ts'
import { albumIn } from '../backend/image-uploads.ts'
import { guestToken, personToken } from '../backend/tokens.ts'
import { characters, demoPassword } from './accounts.ts'
import { applicationOf } from './driver-application.ts'
import { applicantsToCome, type Townsperson, townspeople } from './people.ts'
import type { Dice } from './random.ts'
import { proof, request } from './requests.ts'

/** What can be seen of the city at a moment. */
export type View = {
  /** Milliseconds. */
  now: number
  /** Its people who can act, without the characters that a visitor may be. */
  folk: User[]
  unfinished: Delivery[]
  /** Asked for by one of its people, with an account or without: not by the visitor. */
  isOfCity(delivery: Delivery): boolean
  /** Of everybody who has an account. */
  emails: Set<string>
  /** How many wait for an admin's word. */
  applicants: number
  /** The deliveries about which a dispute is open. */
  disputed: Set<string>
}

/** What its people can do: each a call, or two, of the real server. */
export type Hands = {
  post(sender: User): Promise<unknown>
  cancel(delivery: Delivery): Promise<unknown>
  accept(driver: User, delivery: Delivery): Promise<unknown>
  pickUp(driver: User, delivery: Delivery): Promise<unknown>
  /** With the code: the recipient told the driver at the door. */
  deliver(driver: User, delivery: Delivery): Promise<unknown>
  approve(delivery: Delivery): Promise<unknown>
  apply(newcomer: Townsperson): Promise<unknown>
  report(delivery: Delivery, driver: User, type: DisputeType, issue: string): Promise<unknown>
}

const unfinished: Status[] = ['Pending', 'Accepted', 'Picked Up', 'Delivered']
const most = 1_000
/** No delivery ended before this time, so no guest token has. */
const everEnded = new Date(0).toISOString()

const played = new Set<string>(
  Object.values(characters).flatMap((character) => ('id' in character ? character.id : [])),
)
const theirs = new Set([...townspeople, ...applicantsToCome].map(({ email }) => email))

/** The city as whoever moves its people sees and touches it. */
export function openTown(gateways: Ports, dice: Dice) {
  const { repo, secrets, clock } = gateways
  // The texts its people get are not the visitor's to read.
  const texts: SmsMessage[] = []
  const sms = { send: async (text: SmsMessage) => void texts.push(text) }
  const server = createServer({ ...gateways, sms, metrics: undefined, pages: undefined })
  const ask = <O extends Op>(op: O, question: CallInput & { body?: BodyOf<O> }) =>
    call((asked) => server.fetch(asked), 'https://soma.invalid/api', op, question)

  /** Logged in by what the server's login does, but for the password. */
  async function as(userId: string): Promise<{ token: string }> {
    const token = personToken(secrets, userId)
    const hash = secrets.hash(token)
    const at = new Date(clock()).toISOString()
    await repo.transaction(async ({ sessions }) => {
      if (!(await sessions.find(hash))) await sessions.add(newSession(secrets, token, userId, at))
    })
    return { token }
  }

  async function bySender(delivery: Delivery, status: 'Approved' | 'Cancelled') {
    const { ID: id, sender, senderPhone: guestPhone = '' } = delivery
    if (sender) return ask('changeStatus', { ...(await as(sender.id)), id, body: { status } })
    const token = guestToken(secrets, id)
    return ask('changeGuestStatus', { token, id, body: { status, guestPhone } })
  }

  const hands: Hands = {
    async post({ ID }) {
      const album = albumIn(gateways)
      const body = request(dice, album)
      await album.keep()
      return ask('createDelivery', { ...(await as(ID)), body })
    },
    cancel: (delivery) => bySender(delivery, 'Cancelled'),
    accept: async (driver, { ID: id }) => ask('acceptDelivery', { ...(await as(driver.ID)), id }),
    pickUp: async (driver, { ID: id }) =>
      ask('changeStatus', { ...(await as(driver.ID)), id, body: { status: 'Picked Up' } }),
    async deliver(driver, { ID: id, deliveryCode: code = '', itemDescription }) {
      const about = { ...(await as(driver.ID)), id }
      await ask('completeDelivery', { ...about, body: { code } })
      if (dice.chance(0.5)) return
      const album = albumIn(gateways)
      const proofOfDelivery = proof(dice, album, itemDescription)
      await album.keep()
      if (proofOfDelivery)
        await ask('changeStatus', { ...about, body: { status: 'Delivered', proofOfDelivery } })
    },
    approve: (delivery) => bySender(delivery, 'Approved'),
    async apply(newcomer) {
      const album = albumIn(gateways)
      const { idType, idNumber, idPhoto } = applicationOf(dice, album, newcomer, clock())
      await album.keep()
      const { name, email, phone: phone_number } = newcomer
      const papers = { role: 'driver' as const, idType, idNumber, idPhoto }
      await ask('signup', {
        body: { name, email, phone_number, password: demoPassword, ...papers },
      })
      const code = texts
        .splice(0)
        .findLast(({ to }) => to === phone_number)
        ?.text.match(/\d{6}/)
      await ask('confirmPhone', { body: { phone_number, code: code?.[0] ?? '' } })
    },
    async report({ ID: deliveryId, sender, senderPhone }, driver, type, issue) {
      const body = { deliveryId, issue, type, priority: 'medium' as const }
      if (type === 'driver_issue' || sender)
        return ask('createDispute', {
          ...(await as(type === 'driver_issue' ? driver.ID : (sender?.id ?? ''))),
          body,
        })
      const token = guestToken(secrets, deliveryId)
      return ask('createGuestDispute', { token, body: { ...body, guestPhone: senderPhone ?? '' } })
    },
  }

  const look = (): Promise<View> =>
    repo.read(async ({ users, deliveries, guestTokens, applications, disputes }) => {
      const { rows: accounts } = await users.list({ limit: most })
      const folk = accounts.filter(
        ({ ID, email, Verified }) => Verified && theirs.has(email) && !played.has(ID),
      )
      const known = new Set(folk.map(({ ID }) => ID))
      const everyone = { of: 'everyone' as const, statuses: unfinished }
      const { rows } = await deliveries.list(everyone, { limit: most })
      for (const { ID, isGuestDelivery } of rows)
        if (
          isGuestDelivery &&
          (await guestTokens.find(secrets.hash(guestToken(secrets, ID)), everEnded))
        )
          known.add(ID)
      const open = await disputes.list({ limit: most }, 'open')
      return {
        now: clock(),
        folk,
        unfinished: rows,
        isOfCity: ({ ID, sender }) => known.has(sender?.id ?? ID),
        emails: new Set(accounts.map(({ email }) => email)),
        applicants: (await applications.counts()).pending,
        disputed: new Set(open.rows.map(({ DeliveryID }) => DeliveryID)),
      }
    })

  return { ...hands, look, close: () => server.close() }
}
