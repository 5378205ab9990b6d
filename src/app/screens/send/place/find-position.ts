/** A position with its accuracy in metres, or why there is none; `accuracy` then says how coarse it was. */
export type Position =
  | { lat: number; lng: number; accuracy: number }
  | { problem: 'denied' | 'timeout' | 'unavailable' | 'missing' }
  | { problem: 'coarse'; accuracy: number }

/** A position that may be off by more than this many metres says no more than the zone does (R112). */
export const coarsest = 500

/** How long a fix may take, in milliseconds, and how long the person may take to answer the browser. */
const patience = { fix: 15_000, answer: 45_000 }

/** Asks the browser where this phone is. Never rejects. */
export const findPosition = (geolocation: Geolocation | undefined): Promise<Position> =>
  new Promise((resolve) => {
    // Some browsers never say that their question was closed.
    const timer = setTimeout(() => resolve({ problem: 'timeout' }), patience.answer)
    const end = (position: Position) => {
      clearTimeout(timer)
      resolve(position)
    }
    if (!geolocation) return end({ problem: 'missing' })
    geolocation.getCurrentPosition(
      ({ coords }) => end(judged(coords)),
      ({ code }) => end({ problem: problems[code] ?? 'unavailable' }),
      { enableHighAccuracy: true, timeout: patience.fix, maximumAge: 0 },
    )
  })

/** As `GeolocationPositionError` numbers them. */
const problems: Record<number, 'denied' | 'unavailable' | 'timeout'> = {
  1: 'denied',
  2: 'unavailable',
  3: 'timeout',
}

function judged({ latitude, longitude, accuracy }: GeolocationCoordinates): Position {
  if (accuracy > coarsest) return { problem: 'coarse', accuracy }
  return { lat: toMetres(latitude), lng: toMetres(longitude), accuracy }
}

/** Five decimals of a degree are about one metre. */
const toMetres = (degrees: number): number => Math.round(degrees * 100_000) / 100_000
