export type Summary = { unsent: number; refused: number; sending: number; setAside: number }
export type Pill = { text: string; tone: 'gold' | 'clay' | 'green' }

/**
 * What the header says about the way to the server, or nothing when there is nothing to say: never
 * with something unsent. `reachable` is `null` until somebody has tried; `full`: the phone has no room.
 */
export function syncPillText(
  reachable: boolean | null,
  summary: Summary,
  expired: boolean,
  full = false,
): Pill | null {
  const { unsent, refused, sending, setAside } = summary
  const troubled = refused + setAside
  if (expired && unsent > 0) return { text: `Sign in · ${unsent} waiting`, tone: 'clay' }
  if (full) return { text: 'Phone full', tone: 'clay' }
  if (reachable === false)
    return { text: unsent > 0 ? `Offline · ${unsent} waiting` : 'Offline', tone: 'gold' }
  if (troubled > 0)
    return { text: `${troubled} ${troubled === 1 ? 'needs' : 'need'} you`, tone: 'clay' }
  if (sending > 0) return { text: `Sending ${unsent}…`, tone: 'green' }
  if (unsent > 0) return { text: `${unsent} waiting`, tone: 'gold' }
  return null
}
