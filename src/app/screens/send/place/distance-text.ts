/** A distance in metres as people say it: `640 m`, `1.2 km`, `23 km`. */
export function distanceText(metres: number): string {
  if (metres < 1_000) return `${Math.max(1, Math.round(metres))} m`
  const kilometres = metres / 1_000
  return `${kilometres.toFixed(kilometres < 10 ? 1 : 0)} km`
}
