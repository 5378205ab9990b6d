import type { InputOf } from '#operations/index.ts'
import { unsentOf } from '../../entries/operations.ts'
import { currentAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'
import { jobs } from '../lists.ts'

export type CardChange = InputOf<'changeDriverCard'>

/** What this driver changed of their card (R114) and is not sent yet; `null` if nothing is. */
export async function waitingCard(db: SomaDb, account?: string): Promise<CardChange | null> {
  const changes = await unsentOf(db, account ?? (await currentAccount(db)), 'changeDriverCard')
  if (changes.length === 0) return null
  return Object.assign({}, ...changes.map(({ input }) => input))
}

export type OwnRecord = { since?: string; deliveries?: number }

/**
 * Since when this driver drives and how many deliveries were approved, as the newest job has it (R114). That was
 * written when it was accepted: jobs that this phone has count too.
 */
export async function ownRecord(db: SomaDb, account?: string): Promise<OwnRecord> {
  const rows = await jobs(db, undefined, account)
  const [newest] = rows
  if (!newest?.view.driver) return {}
  const { since, deliveries } = newest.view.driver
  const approved = rows.filter(({ view }) => view.status === 'Approved').length
  return { since, deliveries: Math.max(deliveries ?? 0, approved) }
}
