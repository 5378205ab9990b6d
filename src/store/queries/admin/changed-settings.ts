import type { OfficeSettings, SettingsChange } from '#domain/office/settings.ts'
import { getState } from '#sync/database/device/state.ts'
import { unsentOf } from '../../entries/operations.ts'
import { currentAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'

/** The settings with this admin's changes that have not arrived yet; `isUnsent`: there are some. `null`: never pulled. */
export async function changedSettings(
  db: SomaDb,
  account?: string,
): Promise<{ settings: OfficeSettings; isUnsent: boolean } | null> {
  const stored = await getState(db, 'officeSettings')
  const entries = await unsentOf(db, account ?? (await currentAccount(db)), 'changeSettings')
  if (!stored && entries.length === 0) return null
  const changes = entries.map(({ input }) => input as SettingsChange)
  const all = Object.entries(Object.assign({}, stored, ...changes))
  return {
    settings: Object.fromEntries(all.filter(([, value]) => value)),
    isUnsent: entries.length > 0,
  }
}
