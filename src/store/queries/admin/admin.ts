import type { Activity, Device, MoneyDay, Stats, Trends } from '#contract/responses.ts'
import type { Dispute } from '#domain/deliveries/dispute.ts'
import type { Payout } from '#domain/payment-fields.ts'
import type { DriverApplication } from '#domain/users/driver.ts'
import type { PersonFacts } from '#domain/users/standing/person-facts.ts'
import type { User } from '#domain/users/user.ts'
import type { InputOf } from '#operations/index.ts'
import { isCurrentRow } from '../../deliveries/row-schema.ts'
import { type Entry, unsentOf } from '../../entries/operations.ts'
import type { DeliveryRow } from '../../rows.ts'
import { currentAccount, ofAccount } from '../../session.ts'
import type { MoneyFigures, SomaDb } from '../../soma-db.ts'

export { buildNumber } from '#contract/version.ts'
export type { Device, MoneyDay, MoneyFigures, Stats }

/** What the admin's screens read; only an admin's account ever holds such rows. */

/** An application; `deciding` while a decision waits on this device, with its entry in the outbox. */
export type Application = DriverApplication & {
  deciding?: 'approved' | 'rejected'
  decision?: Entry<'reviewDriver'>
  /** As `decision`, about the changed licence (R139). */
  licenceDecision?: Entry<'reviewDriver'>
}
/** A dispute; `resolving` is the resolution that waits on this device, `deciding` all of it. */
export type DisputeRow = Dispute & { resolving?: string; deciding?: InputOf<'resolveDispute'> }

/** A payout; `settling`: what an admin did with it waits on this device. */
export type PayoutRow = Payout & { settling?: InputOf<'settlePayout'> }

export type TrendDay = Trends['days'][number]

/** The dashboard's figures; `null` until they were pulled. */
export const adminStats = async (db: SomaDb, account?: string): Promise<Stats | null> =>
  (await db.stats.get(account ?? (await currentAccount(db)))) ?? null

/** The dashboard's series; `null` until they were pulled. */
export const adminTrends = async (db: SomaDb, account?: string): Promise<Trends | null> =>
  (await db.trends.get(account ?? (await currentAccount(db)))) ?? null

/** Where all money is (R184); `null` until it was pulled. */
export const adminMoney = async (db: SomaDb, account?: string): Promise<MoneyFigures | null> =>
  (await db.money.get(account ?? (await currentAccount(db)))) ?? null

/** The newest activities, newest first. */
export const adminActivities = async (
  db: SomaDb,
  limit = 50,
  account?: string,
): Promise<Activity[]> =>
  ofAccount(db.activities, 'CreatedAt', account ?? (await currentAccount(db)))
    .reverse()
    .limit(limit)
    .toArray()

/** Every application this device has, with decisions not yet sent. */
export async function adminDrivers(db: SomaDb): Promise<Application[]> {
  const account = await currentAccount(db)
  const rows = await ofAccount(db.drivers, 'ID', account).toArray()
  return applicationsOf(db, account, rows)
}

/** Driver applications with the pending decisions applied. */
export async function applicationsOf(
  db: SomaDb,
  account: string,
  rows: DriverApplication[],
): Promise<Application[]> {
  const waiting = await unsentOf(db, account, 'reviewDriver')
  return rows.map((row) => {
    const about = waiting.filter(({ input }) => input.id === row.ID)
    const decision = about.findLast(({ input }) => input.status !== undefined)
    const licenceDecision = about.findLast(({ input }) => input.licence !== undefined)
    return { ...row, decision, deciding: decision?.input.status, licenceDecision }
  })
}

/** Disputes with the pending decisions applied. */
export async function disputesOf(
  db: SomaDb,
  account: string,
  rows: Dispute[],
): Promise<DisputeRow[]> {
  const waiting = await unsentOf(db, account, 'resolveDispute')
  const resolutions = new Map(waiting.map(({ input }) => [input.id, input]))
  return rows.map((row) => {
    const deciding = resolutions.get(row.ID)
    return { ...row, deciding, resolving: deciding?.resolution }
  })
}

/** Payouts with what this admin did with them and has not been sent (R183). */
export async function payoutsOf(db: SomaDb, account: string, rows: Payout[]): Promise<PayoutRow[]> {
  const waiting = await unsentOf(db, account, 'settlePayout')
  const settling = new Map(waiting.map(({ input }) => [input.id, input]))
  return rows.map((row) => ({ ...row, settling: settling.get(row.ID) }))
}

/** `refused`: this device's resolution that the server would not have, as when another admin was first. */
export type DisputeInFull = {
  dispute: DisputeRow
  delivery: DeliveryRow | undefined
  refused: Entry<'resolveDispute'> | undefined
}

/** A dispute with the delivery it is about; `null` when this device has neither. */
export async function adminDispute(
  db: SomaDb,
  id: string,
  account?: string,
): Promise<DisputeInFull | null> {
  const owner = account ?? (await currentAccount(db))
  const row = await db.disputes.get([owner, id])
  const [dispute] = row ? await disputesOf(db, owner, [row]) : []
  if (!dispute) return null
  const delivery = await db.deliveries.get([owner, dispute.DeliveryID])
  const inLane = await db.outbox
    .where('[account+lane]')
    .equals([owner, `dispute:${id}`])
    .toArray()
  return {
    dispute,
    delivery: delivery && isCurrentRow(delivery) ? delivery : undefined,
    refused: inLane.findLast(
      (entry): entry is Entry<'resolveDispute'> =>
        entry.op === 'resolveDispute' && entry.state === 'refused',
    ),
  }
}

/**
 * What a phone last reported, by its support code as `readSupportCode` gives it (R92); `null` until it
 * was pulled (the list `adminDevice` with this `id`).
 */
export const adminDevice = async (
  db: SomaDb,
  code: string,
  account?: string,
): Promise<Device | null> =>
  (await db.devices.get([account ?? (await currentAccount(db)), code])) ?? null

export type Details = {
  user: User
  application?: Application
  /** Newest first; `null` until they were pulled. */
  deliveries: DeliveryRow[] | null
  /** How many there are on the server. */
  total: number
  /** Missing until it was pulled. */
  about?: PersonFacts
  /** A suspension, or its end, that waits on this device (R198), and notes that do (R202). */
  suspending?: InputOf<'suspendUser'>
  unsentNotes: Entry<'addNote'>[]
}

/** A person with the deliveries they sent or carried; `null` when this device has no such person. */
export async function adminUser(db: SomaDb, id: string, account?: string): Promise<Details | null> {
  const owner = account ?? (await currentAccount(db))
  const user = await db.users.get([owner, id])
  if (!user) return null
  const applied = await db.drivers.get([owner, id])
  const [application] = applied ? await applicationsOf(db, owner, [applied]) : []
  const page = await db.pages.get([owner, 'adminUser', id])
  const ofUser = ({ input }: { input: { id: string } }) => input.id === id
  const suspending = (await unsentOf(db, owner, 'suspendUser')).findLast(ofUser)?.input
  const unsentNotes = (await unsentOf(db, owner, 'addNote')).filter(ofUser).reverse()
  const person = { user, application, suspending, unsentNotes }
  if (!page) return { ...person, deliveries: null, total: 0 }
  const keys = page.ids.slice(1).map((each): [string, string] => [owner, each])
  const rows = await db.deliveries.bulkGet(keys)
  const deliveries = rows.filter((row) => row !== undefined).filter(isCurrentRow)
  return { ...person, deliveries, total: page.total, about: page.about }
}

/** Every dispute about a delivery, the newest first. */
export async function disputesAbout(db: SomaDb, id: string, account?: string): Promise<Dispute[]> {
  const owner = account ?? (await currentAccount(db))
  const found = await db.disputes.where('[account+DeliveryID]').equals([owner, id]).toArray()
  return found.sort((a, b) => (b.CreatedAt ?? '').localeCompare(a.CreatedAt ?? ''))
}
