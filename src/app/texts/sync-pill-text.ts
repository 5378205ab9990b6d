import { type Progress, progressFrom } from '#store/queries/queries.ts'

export type OutboxCounts = Record<
  'unsent' | 'refused' | 'declined' | 'sending' | 'quarantined',
  number
>
export type Pill = { text: string; tone: 'gold' | 'red' | 'green' }

/**
 * The text of the sync pill, or null when there is nothing to report; never null while something is unsent
 * (S29). `reachable` is null until the first request; `full`: the device's storage is full; `progress`: how
 * far what waits has come, shown from six entries on.
 */
export function syncPillText(
  reachable: boolean | null,
  summary: OutboxCounts,
  expired: boolean,
  full = false,
  progress?: Progress | null,
): Pill | null {
  const { unsent, refused, declined, sending, quarantined } = summary
  const toFix = refused - declined + quarantined
  if (expired && unsent > 0) return { text: `Sign in · ${unsent} waiting`, tone: 'red' }
  if (full) return { text: 'Phone full', tone: 'red' }
  if (reachable === false)
    return { text: unsent > 0 ? `Offline · ${unsent} waiting` : 'Offline', tone: 'gold' }
  if (toFix > 0) return { text: `${toFix} to fix`, tone: 'red' }
  if (sending > 0 && progress && progress.total >= progressFrom)
    return { text: `Sending ${progress.done} of ${progress.total}`, tone: 'green' }
  if (sending > 0) return { text: `Sending ${unsent}…`, tone: 'green' }
  if (unsent > 0) return { text: `${unsent} waiting`, tone: 'gold' }
  if (declined > 0) return { text: `${declined} declined`, tone: 'gold' }
  return null
}
