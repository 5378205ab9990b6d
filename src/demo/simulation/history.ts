import { v7 } from 'uuid'
import type { Delivery, Status, StatusChange } from '#domain/delivery.ts'
import { type Contact, contactOf, type User } from '#domain/user.ts'
import type { Album } from '../backend/image-uploads.ts'
import { characters } from './accounts.ts'
import type { Dice } from './random.ts'
import { passerBy, proof, request } from './requests.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** An account and since when it is there, in milliseconds. */
export type Member = { user: User; since: number }

/** How many are under way, of each kind, and since so many hours at least and at most. */
const underWay: [Status, number, number, number][] = [
  ['Delivered', 5, 1, 4],
  ['Picked Up', 3, 0.7, 2],
  ['Accepted', 3, 0.3, 1.2],
  ['Pending', 14, 0.1, 3],
]
const finished = 176

/**
 * Sixty days of deliveries up to `now`, oldest first. At no moment of them has a sender two under
 * way or a driver two jobs; the characters a visitor may be are free.
 */
export function imagineDeliveries(
  dice: Dice,
  now: number,
  album: Album,
  senders: Member[],
  drivers: Member[],
): Delivery[] {
  const free = new Map([...senders, ...drivers].map(({ user, since }) => [user.ID, since]))
  const freeAt = (among: Member[], at: number) =>
    among.filter(({ user }) => (free.get(user.ID) ?? 0) < at).map(({ user }) => user)
  const isCharacter = ({ user }: Member) =>
    user.ID === characters.sender.id || user.ID === characters.driver.id

  /** What is not over leaves nobody of it free again. */
  function imagine(made: number, last: Status, who: { senders: Member[]; drivers: Member[] }) {
    const able = dice.chance(0.3) ? [] : freeAt(who.senders, made)
    const sender = able.length > 0 ? dice.pick(able) : undefined
    const times = timesOf(dice, made, last, now)
    const [, accepted] = times.find(([status]) => status === 'Accepted') ?? []
    const driver = accepted === undefined ? undefined : dice.pick(freeAt(who.drivers, accepted))
    const [, ended = now] = times.at(-1) ?? []
    const over = last === 'Approved' || last === 'Cancelled'
    if (sender) free.set(sender.ID, over ? ended : Number.POSITIVE_INFINITY)
    const [, handed] = times.find(([status]) => status === 'Delivered') ?? [last, ended]
    if (driver)
      free.set(driver.ID, over || last === 'Delivered' ? handed : Number.POSITIVE_INFINITY)
    return write(dice, album, made, times, sender, driver && contactOf(driver))
  }

  const ages = Array.from({ length: finished }, () => dice.between(0, 1) ** 1.6 * 59.5 * day)
  const past = ages
    .map((age) => inTheDay(now - 8 * hour - age))
    .sort((a, b) => a - b)
    .map((made) => imagine(made, dice.chance(0.1) ? 'Cancelled' : 'Approved', { senders, drivers }))
  const others = {
    senders: senders.filter((member) => !isCharacter(member)),
    drivers: drivers.filter((member) => !isCharacter(member)),
  }
  const present = underWay.flatMap(([status, count, least, most]) =>
    Array.from({ length: count }, () =>
      imagine(now - dice.between(least, most) * hour, status, others),
    ),
  )
  return [...past, ...present].sort((a, b) => a.createdAt.localeCompare(b.createdAt))
}

/** Few things are sent at night: what falls into it, is sent in the hours before. */
function inTheDay(time: number): number {
  const hours = (time % day) / hour
  return hours < 6.5 ? time - (hours + 3 + (time % (9 * hour)) / hour) * hour : time
}

/** When each step was taken, from `made` to the `last`; all before `now`. */
function timesOf(dice: Dice, made: number, last: Status, now: number): [Status, number][] {
  const road: Status[] = ['Pending', 'Accepted', 'Picked Up', 'Delivered', 'Approved']
  // Most are cancelled by their sender before anybody came; some by an admin on the way.
  const until =
    last === 'Cancelled' ? (dice.chance(0.75) ? 1 : dice.whole(2, 3)) : road.indexOf(last) + 1
  const takes = [0, [3, 45], [8, 40], [12, 75], [2, 180]]
  const steps: [Status, number][] = []
  let at = made
  for (const [place, status] of road.slice(0, until).entries()) {
    const [low = 0, high = 0] = [takes[place] ?? 0].flat()
    at += dice.between(low, high) * minute
    steps.push([status, at])
  }
  if (last === 'Cancelled') steps.push([last, at + dice.between(4, 50) * minute])
  // What is under way began lately: its steps lie between then and now.
  const end = steps.at(-1)?.[1] ?? made
  const squeeze = end < now - minute ? 1 : (now - minute - made) / (end - made)
  return steps.map(([status, time]) => [status, Math.floor(made + (time - made) * squeeze)])
}

function write(
  dice: Dice,
  album: Album,
  made: number,
  times: [Status, number][],
  sender: User | undefined,
  driver: Contact | undefined,
): Delivery {
  const history = times.map(([status, time]): StatusChange => {
    const late = status === 'Picked Up' && dice.chance(0.15)
    const at = iso(time)
    return late ? { status, at, occurredAt: iso(time - dice.whole(2, 7) * minute) } : { status, at }
  })
  const { status = 'Pending', at: updatedAt = iso(made) } = history.at(-1) ?? {}
  const asked = request(dice, album)
  const handedOver = times.some(([step]) => step === 'Delivered')
  const photo = handedOver && dice.chance(0.5) && proof(dice, album, asked.itemDescription)
  return {
    ...{ ID: idAt(dice, made), status, deliveryCode: dice.digits(5), ...asked },
    ...(photo ? { proofOfDelivery: photo } : {}),
    ...(sender
      ? { sender: contactOf(sender), senderName: sender.name, senderPhone: sender.phone_number }
      : passerBy(dice)),
    ...{ isGuestDelivery: sender === undefined, ...(driver && { driver }) },
    ...{ createdAt: iso(made), updatedAt, history },
  }
}

export const iso = (time: number): string => new Date(time).toISOString()

/** A UUIDv7 as it would have been made then. */
export const idAt = (dice: Dice, time: number): string =>
  v7({ msecs: Math.floor(time), random: Uint8Array.from({ length: 16 }, () => dice.whole(0, 255)) })
