import type { Position } from './find-position.ts'

type NoPosition = Extract<Position, { problem: string }>

/** Why there is no pin, and what the person can do instead (R112). */
export function positionText(found: NoPosition): string {
  if (found.problem === 'coarse')
    return `Your position is only known to about ${distanceText(found.accuracy)}, so no pin was added. Try again outdoors, or describe the place.`
  return texts[found.problem]
}

const texts = {
  denied:
    "This app may not use your position. Allow it in your browser's settings, or describe the place.",
  timeout: 'Your position took too long to find. Try again outdoors, or describe the place.',
  unavailable: "Your position can't be found right now. Try again later, or describe the place.",
  missing: "This browser can't find your position. Describe the place instead.",
}

/** A distance in metres as people say it: `640 m`, `1.2 km`, `23 km`. */
export function distanceText(metres: number): string {
  if (metres < 1_000) return `${Math.max(1, Math.round(metres))} m`
  const kilometres = metres / 1_000
  return `${kilometres.toFixed(kilometres < 10 ? 1 : 0)} km`
}
