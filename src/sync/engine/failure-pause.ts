/** Pauses after the first failures, milliseconds: about a minute of them together. */
const firstPauses = [2_000, 4_000, 8_000]
const usual = 10_000
/** So many failures fill the first minute; from then on each pause is half as long again as the one before. */
const firstMinute = 9
const longest = 200_000

/**
 * The pause after so many failures of one list in a row, milliseconds (S45): at most 10 s in the first
 * minute, so that a short failure ends soon for whoever looks at it; then growing to 200 s, so that a
 * list asks at most 40 times an hour. Jitter takes away up to a quarter of it.
 */
export function pauseAfter(failures: number, random: () => number): number {
  const grown = usual * 1.5 ** Math.max(0, failures - firstMinute)
  const pause = firstPauses[failures - 1] ?? Math.min(longest, grown)
  return Math.round(pause * (1 - random() / 4))
}
