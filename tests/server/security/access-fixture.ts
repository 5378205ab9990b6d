import { createHash } from 'node:crypto'
import {
  fromBase64url,
  trackSeed,
  trackTokenOf,
} from '#domain/deliveries/handover/handover-link.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import type { Ports } from '#server/ports/ports.ts'
import { payout } from '#server/rules/deliveries/ledger.ts'
import { drawHandover } from '#store/deliveries/draw-handover.ts'
import {
  type Guest,
  type Person,
  present,
  startTestServer,
  type TestServer,
} from '../../helpers/server/server.ts'
import { freeze } from './freeze.ts'
import { uploadedPhotos } from './photo-uploads.ts'

/*
 * One delivery for each status and each kind of owner, and a caller for each role. Every name, phone,
 * e-mail and code is unique, so that a text found in a response belongs to one person or delivery.
 */

export const roles = [
  'none',
  'deadToken',
  'guestOf',
  'otherGuest',
  'senderOf',
  'otherSender',
  'unverifiedSender',
  'driverOf',
  'otherDriver',
  'pendingDriver',
  'rejectedDriver',
  'rejectedCarrier',
  'unverifiedDriver',
  'admin',
  'recipientOf',
  'otherRecipient',
] as const
export type Role = (typeof roles)[number]

/** A role that may make the call. */
export const callers: Record<Endpoint['access'], Role> = {
  anyone: 'none',
  'anyone-or-person': 'otherSender',
  'anyone-or-caller': 'otherSender',
  person: 'otherSender',
  driver: 'otherDriver',
  office: 'admin',
  admin: 'admin',
  guest: 'guestOf',
  'person-or-guest': 'guestOf',
  recipient: 'recipientOf',
}

/** `Carried`: Delivered by a driver who was rejected afterwards. `Returning`: Picked Up, and on its way back. */
export const stages = [
  'Pending',
  'Accepted',
  'Picked Up',
  'Returning',
  'Delivered',
  'Approved',
  'Cancelled',
  'Carried',
] as const
export type Stage = (typeof stages)[number]
export const kinds = ['account', 'guest'] as const
export type Kind = (typeof kinds)[number]

export type Target = {
  id: string
  code: string
  kind: Kind
  stage: Stage
  sender?: Person
  guest?: Guest
  driver?: Person
  /** These texts are unique to this delivery. */
  recipientName: string
  recipientPhone: string
  senderName: string
  senderPhone: string
  /** What proves its hand-over, and the recipient's token (R110, R111). */
  secret: string
  handoverHash: string
  trackHash: string
  trackToken: string
  pickupPlace: string
  dropoffPlace: string
  note: string
  /** While it is on its way back (R105). */
  returnCode?: string
}

export type AccessFixture = Awaited<ReturnType<typeof startAccessFixture>>

/** Starts the server of `startAccessFixture`; later calls are answered and change nothing, until it thaws. */
export async function startFrozenFixture(over: Partial<Ports> = {}) {
  const fixture = await startAccessFixture(over)
  return { ...fixture, thaw: freeze(fixture.server) }
}

/** Starts a server with every delivery and role; calls take effect. */
export async function startAccessFixture(over: Partial<Ports> = {}) {
  const server = await startTestServer(undefined, over)
  const admin = await server.admin()
  const people = peopleOf(server)
  const targets: Target[] = []
  for (const kind of kinds)
    for (const stage of stages) targets.push(await makeTarget(server, people, kind, stage))
  const others = await strangers(server, people)
  for (const { stage, driver } of targets)
    if (stage === 'Carried') await review(server, present(driver), 'rejected')
  const open = await openDispute(server, targets)
  await addPayoutNumbers(server, people.all)
  const owed = await owedPayout(server, targets)
  const photos = await uploadedPhotos(server)
  const device = { code: 'K7QX2MPD', at: new Date().toISOString(), queueLength: 3 }
  const { ID: userId } = others.spare.user
  await server.repo.transaction(({ devices }) => devices.add({ ...device, userId }))
  return {
    server,
    admin,
    targets,
    ...others,
    ...open,
    ...owed,
    ...photos,
    supportCode: device.code,
    everybody: [...people.all, admin],
  }
}

export function tokenOf(fixture: AccessFixture, role: Role, target: Target): string | undefined {
  const { admin, deadToken, otherGuest, otherSender, unverifiedSender } = fixture
  const { otherDriver, pendingDriver, rejectedDriver, unverifiedDriver } = fixture
  const carrier = target.stage === 'Carried' ? target.driver : undefined
  const tokens: Record<Role, string | undefined> = {
    none: undefined,
    deadToken,
    guestOf: target.guest?.token,
    otherGuest: otherGuest.token,
    senderOf: target.sender?.token,
    otherSender: otherSender.token,
    unverifiedSender: unverifiedSender.token,
    driverOf: carrier ? undefined : target.driver?.token,
    otherDriver: otherDriver.token,
    pendingDriver: pendingDriver.token,
    rejectedDriver: rejectedDriver.token,
    rejectedCarrier: carrier?.token,
    unverifiedDriver: unverifiedDriver.token,
    admin: admin.token,
    recipientOf: target.trackToken,
    otherRecipient: fixture.otherTrackToken,
  }
  return tokens[role]
}

/** Whether this role exists for this delivery: a delivery by an account has no guest, for example. */
export const exists = (fixture: AccessFixture, role: Role, target: Target): boolean =>
  role === 'none' || tokenOf(fixture, role, target) !== undefined

/** The delivery that defines a role in calls that are not about one delivery. */
export function defaultTarget(fixture: AccessFixture, role: Role): Target {
  const kind: Kind = role === 'guestOf' ? 'guest' : 'account'
  const stage: Stage = role === 'rejectedCarrier' ? 'Carried' : 'Accepted'
  return targetOf(fixture, kind, stage)
}

export const targetOf = (fixture: AccessFixture, kind: Kind, stage: Stage): Target =>
  present(fixture.targets.find((each) => each.kind === kind && each.stage === stage))

function peopleOf(server: TestServer) {
  const all: Person[] = []
  const idNumbers = new Map<string, string>()
  async function signUp(role: 'sender' | 'driver') {
    const n = all.length
    const idNumber = `GHA-7315${String(n).padStart(5, '0')}-${n % 10}`
    const person = await server.signUp(role, {
      name: `Person Nr${n}x`,
      email: `person.nr${n}x@mail.test`,
      ...(role === 'driver' ? { idNumber } : {}),
    })
    if (role === 'driver') idNumbers.set(person.user.ID, idNumber)
    all.push(person)
    return person
  }
  return {
    all,
    idNumbers,
    signUp,
    verified: async (role: 'sender' | 'driver') => server.verify(await signUp(role)),
    async driver() {
      const person = await server.verify(await signUp('driver'))
      await review(server, person, 'approved')
      return person
    },
  }
}

/** Digits that no other number has. */
export const payoutPhoneOf = ({ phone }: Pick<Person, 'phone'>) => `059${phone.slice(3)}`

async function addPayoutNumbers(server: TestServer, people: Person[]) {
  await server.repo.transaction(async ({ users }) => {
    for (const person of people)
      if (person.user.role === 'driver') {
        const from = new Date().toISOString()
        const number = {
          phone: payoutPhoneOf(person),
          network: 'mtn',
          name: 'Y. D.',
          from,
        } as const
        await users.change(person.user.ID, { payout: number, nextPayout: number })
      }
  })
}

type People = ReturnType<typeof peopleOf>

async function review(server: TestServer, { user }: Person, status: 'approved' | 'rejected') {
  const { token } = await server.admin()
  await server.ask('reviewDriver', { token, id: user.ID, body: { status } })
}

let recipients = 0

/** Every field that a job can have on offer (R51, R160). */
const itemDetails = { note: 'Keep it dry', size: 'large', fragile: true } as const

async function makeTarget(server: TestServer, people: People, kind: Kind, stage: Stage) {
  const n = ++recipients
  const recipient = {
    recipientName: `Recipient Nr${n}x`,
    recipientPhone: `0559${String(n).padStart(6, '0')}`,
  }
  const { secret, trackToken, hashes } = await newHandover()
  const [pickupPlace, dropoffPlace] = [`Behind kiosk Nr${n}x`, `Blue gate Nr${n}x`]
  const note = `Upright Nr${n}x`
  const asked = {
    ...recipient,
    ...hashes,
    ...itemDetails,
    note,
    pickupPlace: { text: pickupPlace, lat: 5.56, lng: -0.18 },
    dropoffPlace: { note: dropoffPlace },
  }
  const sender = kind === 'account' ? await people.verified('sender') : undefined
  const guest = sender
    ? undefined
    : await server.guestDelivery({ ...asked, senderName: `Guest Nr${n}x` })
  const made = guest ? guest.delivery : await server.delivery(present(sender), asked)
  const target: Target = {
    id: made.ID,
    code: present(made.deliveryCode),
    kind,
    stage,
    sender,
    guest,
    ...recipient,
    senderName: present(made.senderName),
    senderPhone: present(made.senderPhone),
    secret,
    ...hashes,
    trackToken,
    pickupPlace,
    dropoffPlace,
    note,
  }
  if (stage === 'Pending') return target
  const driver = await people.driver()
  await server.drive(made, driver, finalStatus[stage])
  if (stage === 'Approved') await approve(server, target)
  if (stage === 'Cancelled') {
    const { token } = await server.admin()
    await server.ask('changeStatus', { token, id: made.ID, body: { status: 'Cancelled' } })
  }
  if (stage !== 'Returning') return { ...target, driver }
  await server.bringBack(made.ID, driver)
  const stored = await server.repo.read(({ deliveries }) => deliveries.get(made.ID))
  return { ...target, driver, returnCode: present(stored?.returnCode) }
}

/** What a sender's phone draws for a request, and the recipient's token. */
async function newHandover() {
  const { secret, hashes } = drawHandover()
  const hash = createHash('sha256')
    .update(trackSeed(fromBase64url(secret)))
    .digest()
  return { secret, hashes, trackToken: trackTokenOf(hash) }
}

/** The status to which the driver takes the delivery. */
const finalStatus: Record<Exclude<Stage, 'Pending'>, 'Accepted' | 'Picked Up' | 'Delivered'> = {
  Accepted: 'Accepted',
  'Picked Up': 'Picked Up',
  Returning: 'Picked Up',
  Delivered: 'Delivered',
  Approved: 'Delivered',
  Cancelled: 'Accepted',
  Carried: 'Delivered',
}

async function approve(server: TestServer, { id, sender, guest }: Target) {
  const status = 'Approved'
  if (sender) await server.ask('changeStatus', { token: sender.token, id, body: { status } })
  if (!guest) return
  const body = { status, guestPhone: guest.phone } as const
  await server.ask('changeGuestStatus', { token: guest.token, id, body })
}

/** Users and a guest without a part in any of the target deliveries; some have a delivery of their own. */
async function strangers(server: TestServer, people: People) {
  const otherSender = await people.verified('sender')
  const n = ++recipients
  const theirs = await server.delivery(otherSender, {
    recipientName: `Recipient Nr${n}x`,
    recipientPhone: `0559${String(n).padStart(6, '0')}`,
  })
  await server.changeStatus(otherSender, theirs.ID, 'Cancelled')
  const unverifiedDriver = await people.signUp('driver')
  await review(server, unverifiedDriver, 'approved')
  const rejectedDriver = await people.verified('driver')
  await review(server, rejectedDriver, 'rejected')
  const loggedOut = await people.verified('sender')
  const theirHandover = await newHandover()
  await server.ask('logout', { token: loggedOut.token })
  return {
    otherSender,
    otherSendersOwn: theirs,
    otherGuest: await server.guestDelivery({
      senderName: 'Guest Nr900x',
      ...theirHandover.hashes,
      ...itemDetails,
    }),
    otherTrackToken: theirHandover.trackToken,
    unverifiedSender: await people.signUp('sender'),
    otherDriver: await people.driver(),
    pendingDriver: await people.verified('driver'),
    rejectedDriver,
    unverifiedDriver,
    deadToken: loggedOut.token,
    /** An account to log in to that has no role. */
    spare: await people.verified('sender'),
    idNumbers: people.idNumbers,
  }
}

/** A payout of an approved delivery that its driver has not got. */
async function owedPayout({ repo, ports }: TestServer, targets: Target[]) {
  const { id } = present(
    targets.find(({ kind, stage }) => kind === 'guest' && stage === 'Approved'),
  )
  return repo.transaction(async ({ deliveries, payments, ledger }) => {
    const delivery = present(await deliveries.lock(id))
    const row = present((await payments.ofDelivery(id))[0])
    await payments.save({ ...row, status: 'waiting', reference: undefined })
    await ledger.post(payout(delivery, ports.secrets.id(), 'unpaid', row.pesewas))
    return { payoutId: row.id }
  })
}

async function openDispute(server: TestServer, targets: Target[]) {
  const target = present(targets.find(({ stage }) => stage === 'Accepted'))
  return { disputeId: (await server.report(present(target.sender), target.id)).ID }
}
