import { Place } from '#domain/deliveries/places/place.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { hiddenGuests } from '../account/hidden-guests.ts'
import { isReadableGuest } from '../deliveries/row-schema.ts'
import type { DeliveryRow, RecentPlace } from '../rows.ts'
import { currentAccount, ofAccount } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { available, jobs, sent } from './lists.ts'

type Person = { name: string; phone: string }
export type Route = { from: string; to: string }

/** What the request form offers to fill in, from what this phone knows of this person alone. */
export type Suggestions = { routes: Route[]; recipients: Person[]; own?: Person }

/** Past requests looked through, and how many of each are offered. */
const looked = 60
const offered = 4

/** Recent routes and recipients, the latest first, and what a guest of this phone called themselves last. */
export async function suggestions(db: SomaDb, account?: string): Promise<Suggestions> {
  const owner = account ?? (await currentAccount(db))
  const rows = await sent(db, looked, owner)
  const routes = rows.map(({ view }) => ({ from: view.pickupZone, to: view.dropoffZone }))
  const recipients = rows.flatMap(({ view: { recipientName: name, recipientPhone: phone } }) =>
    name && phone ? [{ name, phone }] : [],
  )
  return {
    routes: firstOf(routes, ({ from, to }) => `${from}|${to}`),
    recipients: firstOf(recipients, ({ name, phone }) => `${name}|${phone}`),
    own: owner === guestAccount ? await lastGuest(db) : undefined,
  }
}

async function lastGuest(db: SomaDb): Promise<Person | undefined> {
  const hidden = await hiddenGuests(db)
  const [last] = (await db.guests.toArray())
    .filter((record) => isReadableGuest(record) && !hidden.has(record.id))
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  return last && { name: last.senderName, phone: last.senderPhone }
}

function firstOf<T>(all: readonly T[], key: (one: T) => string): T[] {
  const found = new Map<string, T>()
  for (const one of all) if (!found.has(key(one))) found.set(key(one), one)
  return [...found.values()].slice(0, offered)
}

/** Places of this person's earlier requests from this phone, the latest first (R112); `zone`: '' for any. */
export async function recentPlaces(
  db: SomaDb,
  zone: string,
  account?: string,
): Promise<RecentPlace[]> {
  const owner = account ?? (await currentAccount(db))
  const rows = await ofAccount(db.places, 'usedAt', owner).reverse().toArray()
  const isReadable = ({ place }: RecentPlace) => Place.safeParse(place).success
  return rows.filter((row) => isReadable(row) && (zone === '' || row.zone === zone))
}

/** Rows of each list looked through for the prices of a route. */
const priced = 200

/**
 * Prices of this route as this phone knows them, in whole cedis and rising: the lowest, the middle and the
 * highest, rounded to five. None where it knows none.
 */
export async function routePrices(
  db: SomaDb,
  { from, to }: Route,
  account?: string,
): Promise<number[]> {
  if (from === '' || to === '') return []
  const rows = [
    ...(await sent(db, priced, account)),
    ...(await jobs(db, priced, account)),
    ...(await available(db, { pickupZone: from, dropoffZone: to }, priced, account)),
  ]
  return typicalPrices(rows.filter(({ view }) => isAlong(view, { from, to })))
}

const isAlong = ({ pickupZone, dropoffZone }: DeliveryRow['view'], { from, to }: Route) =>
  (pickupZone === from && dropoffZone === to) || (pickupZone === to && dropoffZone === from)

function typicalPrices(rows: readonly DeliveryRow[]): number[] {
  const offers = rows.map(({ view }) => view.offer).sort((a, b) => a - b)
  const at = (share: number) => offers[Math.round(share * (offers.length - 1))]
  const found = [at(0), at(0.5), at(1)].filter((offer) => offer !== undefined)
  return [...new Set(found.map((offer) => Math.max(5, Math.round(offer / 5) * 5)))]
}
