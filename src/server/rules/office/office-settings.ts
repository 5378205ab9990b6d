import { Refusal, reasonTexts } from '#domain/errors.ts'
import { longestPause, pauseEnd } from '#domain/office/pause.ts'
import type { OfficeSettings, SettingsChange } from '#domain/office/settings.ts'
import { DetailedRefusal } from '../../ports/detailed-refusal.ts'
import type { Options } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import { officeSetting } from '../../ports/stores/settings-store.ts'

type Help = Pick<Options, 'help'>

/** What the office has set; of what it never changed, the environment's value (R204). */
export async function readOffice({ settings }: Stores, { help }: Help): Promise<OfficeSettings> {
  const stored = await settings.get(officeSetting)
  return withoutNothing({ ...help, ...(stored ? (JSON.parse(stored) as SettingsChange) : {}) })
}

/** Changes what is named and keeps the rest. Refusal: invalid, for a pause that is over or too long. */
export async function changeOffice(
  { settings }: Stores,
  { help }: Help,
  change: SettingsChange,
  at: string,
): Promise<OfficeSettings> {
  const named = Object.entries(change).filter(([, value]) => value !== undefined)
  const changed = Object.fromEntries(named.map(([name, value]) => [name, value || null]))
  if (change.pausedUntil) {
    const ends = Date.parse(change.pausedUntil)
    const lasts = ends - Date.parse(at)
    if (lasts <= 0) throw new Refusal('invalid', 'A pause ends later than now.')
    if (lasts > longestPause) throw new Refusal('invalid', 'A pause lasts at most 14 days.')
    changed.pausedUntil = new Date(ends).toISOString()
  }
  const stored = JSON.parse((await settings.get(officeSetting)) ?? '{}') as SettingsChange
  const after = { ...stored, ...changed }
  await settings.set(officeSetting, JSON.stringify(after))
  return withoutNothing({ ...help, ...after })
}

/** A removed setting is stored as null, so that the environment's value does not return. */
const withoutNothing = (settings: SettingsChange): OfficeSettings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value))

/** Refusal: paused, with the time when requests are taken again (R205). */
export async function assertNotPaused(stores: Stores, help: Help, at: string): Promise<void> {
  const now = Date.parse(at)
  const end = pauseEnd(await readOffice(stores, help), now)
  if (end === undefined) return
  const details = { pausedUntil: new Date(end).toISOString() }
  throw new DetailedRefusal('paused', reasonTexts.paused, details, Math.ceil((end - now) / 1_000))
}
