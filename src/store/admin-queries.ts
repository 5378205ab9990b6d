import type { Activity, Stats } from '#contract/answers.ts'
import type { Dispute } from '#domain/dispute.ts'
import type { DriverApplication } from '#domain/driver.ts'
import type { User } from '#domain/user.ts'
import type { SomaDb } from './db.ts'
import { bounds, currentAccount } from './device.ts'
import type { Entry } from './entry.ts'
import { unsentKeys } from './outbox.ts'

/** What the admin's screens read; only an admin's account ever holds such rows. */

export const adminStats = async (db: SomaDb): Promise<Stats | null> =>
  (await db.stats.get(await currentAccount(db))) ?? null

export const adminActivities = async (db: SomaDb, limit = 50): Promise<Activity[]> =>
  db.activities
    .where('[account+CreatedAt]')
    .between(...bounds(await currentAccount(db)))
    .reverse()
    .limit(limit)
    .toArray()

export const adminUsers = async (db: SomaDb): Promise<User[]> =>
  db.users
    .where('[account+ID]')
    .between(...bounds(await currentAccount(db)))
    .toArray()

/** With decisions not yet sent already shown as made, each in `deciding`. */
export async function adminDrivers(
  db: SomaDb,
): Promise<(DriverApplication & { deciding?: 'approved' | 'rejected' })[]> {
  const account = await currentAccount(db)
  const rows = await db.drivers
    .where('[account+ID]')
    .between(...bounds(account))
    .toArray()
  const pending = await db.outbox.where('[account+state]').anyOf(unsentKeys(account)).toArray()
  const decisions = new Map(
    pending.flatMap((entry) => {
      if (entry.op !== 'reviewDriver') return []
      const { id, status } = (entry as Entry<'reviewDriver'>).input
      return [[id, status] as const]
    }),
  )
  return rows.map((row) => ({ ...row, deciding: decisions.get(row.ID) }))
}

export const adminDisputes = async (db: SomaDb): Promise<Dispute[]> =>
  db.disputes
    .where('[account+ID]')
    .between(...bounds(await currentAccount(db)))
    .toArray()
