import { pauseEnd } from '#domain/office/pause.ts'
import type { OfficeSettings } from '#domain/office/settings.ts'
import { getState } from '#sync/database/device/state.ts'
import type { SomaDb } from '../../soma-db.ts'

const objectOr = (value: unknown): OfficeSettings =>
  typeof value === 'object' && value !== null ? value : {}

/** When requests are taken again, milliseconds since 1970 (R205); `null` while they are. */
export async function pausedUntil(db: SomaDb, now = Date.now()): Promise<number | null> {
  return pauseIn(await getState(db, 'config'), now) ?? null
}

/** The pause of a stored configuration. Other backends may send anything. */
function pauseIn(config: unknown, now: number): number | undefined {
  const { pausedUntil: until, openingHours: hours } = objectOr(config)
  const isHours = typeof hours?.from === 'string' && typeof hours.to === 'string'
  return pauseEnd(
    {
      pausedUntil: typeof until === 'string' ? until : undefined,
      openingHours: isHours ? hours : undefined,
    },
    now,
  )
}
