import { at, median, resultsTable, round } from '../results.ts'
import { effectsOf, type Run } from './bench.ts'
import { inWords } from './effects.ts'

/* The table of `npm run bench -- peers`. */

const { keep } = resultsTable('peers.json')

/** `target`: ours ÷ theirs, or an amount, at most; a line without one is there to be known. */
type About = { work: string; against: string; target?: number; note?: string }

/** Ours ÷ theirs, pair by pair; times in milliseconds. */
export function compare(about: About, ours: Run[], theirs: Run[]): void {
  const ratios = ours.map(({ ms }, pair) => ms / (theirs[pair]?.ms ?? Number.NaN))
  const [mine, other] = [effectsOf(ours), effectsOf(theirs)]
  const middle = (found: Run[]) => round(median(found.map(({ ms }) => ms)), 1)
  measure(about, ratios, {
    'ours ms': middle(ours),
    'theirs ms': middle(theirs),
    'effects of ours': mine && inWords(mine),
    'effects of theirs': other && inWords(other),
  })
}

/** A ratio, or an amount of `unit`, that has a limit of its own. */
export function measure(
  { unit, note, ...about }: About & { unit?: 'kB' | 'bytes' | 'ms' | 'count' },
  values: number[],
  more: Record<string, unknown> = {},
): void {
  const found = median(values)
  keep({
    ...about,
    [unit ?? 'ratio']: round(found, 2),
    met: about.target === undefined ? undefined : found <= about.target,
    p95: round(at(values, 0.95), 2),
    runs: values.length,
    ...more,
    note: note || undefined,
  })
}
