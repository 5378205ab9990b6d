import { v7 } from 'uuid'
import type { Delivery, Status, StatusChange } from '#domain/deliveries/delivery.ts'
import { type Contact, contactOf, type User } from '#domain/users/user.ts'
import type { ImageUploads } from '../image-uploads.ts'
import { personas } from '../personas.ts'
import type { Random } from '../random.ts'
import { randomGuest, randomProof, randomRequest } from '../requests.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** An account and when it was made, in milliseconds. */
export type SeedAccount = { user: User; since: number }
type Accounts = { senders: SeedAccount[]; drivers: SeedAccount[] }

/** The unfinished deliveries by status: how many, and their least and greatest age in hours. */
const unfinished: [Status, number, number, number][] = [
  ['Delivered', 5, 1, 4],
  ['Picked Up', 3, 0.7, 2],
  ['Accepted', 3, 0.3, 1.2],
  ['Pending', 14, 0.1, 3],
]
const finishedCount = 176

/**
 * Sixty days of deliveries up to `now` (milliseconds), oldest first. At no moment a sender has two
 * unfinished ones or a driver two jobs; the personas have none at `now`.
 */
export function generateDeliveries(
  random: Random,
  now: number,
  uploads: ImageUploads,
  { senders, drivers }: Accounts,
): Delivery[] {
  const generate = deliveryGenerator(random, now, uploads)
  const ages = Array.from({ length: finishedCount }, () => random.between(0, 1) ** 1.6 * 59.5 * day)
  const past = ages
    .map((age) => inDaytime(now - 8 * hour - age))
    .sort((a, b) => a - b)
    .map((made) =>
      generate(made, random.chance(0.1) ? 'Cancelled' : 'Approved', { senders, drivers }),
    )
  const others = {
    senders: senders.filter((account) => !isPersona(account)),
    drivers: drivers.filter((account) => !isPersona(account)),
  }
  const present = unfinished.flatMap(([status, count, least, most]) =>
    Array.from({ length: count }, () =>
      generate(now - random.between(least, most) * hour, status, others),
    ),
  )
  return [...past, ...present].sort((a, b) => a.createdAt.localeCompare(b.createdAt))
}

const isPersona = ({ user }: SeedAccount) =>
  user.ID === personas.sender.id || user.ID === personas.driver.id

/** Makes one delivery after another, each by people who are free when it is requested or accepted. */
function deliveryGenerator(random: Random, now: number, uploads: ImageUploads) {
  /** From when on each account is free, in milliseconds; at first since it was made. */
  const freeFrom = new Map<string, number>()
  const freeAt = (accounts: SeedAccount[], at: number) =>
    accounts
      .filter(({ user, since }) => (freeFrom.get(user.ID) ?? since) < at)
      .map(({ user }) => user)

  return (made: number, last: Status, { senders, drivers }: Accounts): Delivery => {
    const candidates = random.chance(0.3) ? [] : freeAt(senders, made)
    const sender = candidates.length > 0 ? random.pick(candidates) : undefined
    const steps = stepsOf(random, made, last, now)
    const timeOf = (step: Status) => steps.find(([status]) => status === step)?.[1]
    const accepted = timeOf('Accepted')
    const driver = accepted === undefined ? undefined : random.pick(freeAt(drivers, accepted))
    const ended = steps.at(-1)?.[1] ?? now
    const isFinished = last === 'Approved' || last === 'Cancelled'
    if (sender) freeFrom.set(sender.ID, isFinished ? ended : Number.POSITIVE_INFINITY)
    const isHandedOver = isFinished || last === 'Delivered'
    const delivered = timeOf('Delivered') ?? ended
    if (driver) freeFrom.set(driver.ID, isHandedOver ? delivered : Number.POSITIVE_INFINITY)
    return deliveryOf(random, uploads, { made, steps, sender, driver: driver && contactOf(driver) })
  }
}

/** Moves a time of the night to the hours before it, because few parcels are sent at night. */
function inDaytime(time: number): number {
  const hours = (time % day) / hour
  return hours < 6.5 ? time - (hours + 3 + (time % (9 * hour)) / hour) * hour : time
}

type Steps = [status: Status, time: number][]

/** Every status up to `last` with its time, from `made` on and before `now`. */
function stepsOf(random: Random, made: number, last: Status, now: number): Steps {
  const statuses: Status[] = ['Pending', 'Accepted', 'Picked Up', 'Delivered', 'Approved']
  // Most are cancelled by their sender while pending, some by an admin later.
  const count =
    last === 'Cancelled'
      ? random.chance(0.75)
        ? 1
        : random.integer(2, 3)
      : statuses.indexOf(last) + 1
  /** Minutes that each step takes: least and most. */
  const durations = [0, [3, 45], [8, 40], [12, 75], [2, 180]]
  const steps: Steps = []
  let at = made
  for (const [index, status] of statuses.slice(0, count).entries()) {
    const [low = 0, high = 0] = [durations[index] ?? 0].flat()
    at += random.between(low, high) * minute
    steps.push([status, at])
  }
  if (last === 'Cancelled') steps.push([last, at + random.between(4, 50) * minute])
  // The steps of a recent delivery are compressed into the time between its request and now.
  const end = steps.at(-1)?.[1] ?? made
  const scale = end < now - minute ? 1 : (now - minute - made) / (end - made)
  return steps.map(([status, time]) => [status, Math.floor(made + (time - made) * scale)])
}

function deliveryOf(
  random: Random,
  uploads: ImageUploads,
  {
    made,
    steps,
    sender,
    driver,
  }: { made: number; steps: Steps; sender: User | undefined; driver: Contact | undefined },
): Delivery {
  const history = steps.map(([status, time]): StatusChange => {
    const wasOffline = status === 'Picked Up' && random.chance(0.15)
    const at = isoTime(time)
    if (status === 'Cancelled') return { status, at, ...whyCancelled(made, driver !== undefined) }
    return wasOffline
      ? { status, at, occurredAt: isoTime(time - random.integer(2, 7) * minute) }
      : { status, at }
  })
  const { status = 'Pending', at: updatedAt = isoTime(made) } = history.at(-1) ?? {}
  const request = randomRequest(random, uploads)
  const isDelivered = steps.some(([step]) => step === 'Delivered')
  const photo =
    isDelivered && random.chance(0.5) && randomProof(random, uploads, request.itemDescription)
  return {
    ID: uuidAt(random, made),
    status,
    deliveryCode: random.digits(5),
    ...request,
    ...(photo ? { proofOfDelivery: photo } : {}),
    ...(sender
      ? { sender: contactOf(sender), senderName: sender.name, senderPhone: sender.phone_number }
      : randomGuest(random)),
    isGuestDelivery: sender === undefined,
    ...(driver && { driver }),
    // One in four pays in cash.
    ...(status === 'Approved' && { paidBy: Math.floor(made) % 4 ? 'momo' : 'cash' }),
    createdAt: isoTime(made),
    updatedAt,
    history,
  }
}

/** What whoever cancelled it said (R161): the sender while it is on offer, an admin later. */
const whyCancelled = (made: number, isUnderWay: boolean): Pick<StatusChange, 'by' | 'reason'> =>
  isUnderWay
    ? { by: 'office', reason: 'The sender asked us to' }
    : { reason: cancelReasons[Math.floor(made) % cancelReasons.length] }

const cancelReasons = ["I don't need it any more", 'Found another way', 'Wrong details']

/** ISO 8601, of milliseconds. */
export const isoTime = (time: number): string => new Date(time).toISOString()

/** The UUIDv7 of a row made at this time (milliseconds). */
export const uuidAt = (random: Random, time: number): string =>
  v7({
    msecs: Math.floor(time),
    random: Uint8Array.from({ length: 16 }, () => random.integer(0, 255)),
  })
