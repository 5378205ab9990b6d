import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'

export type Result = {
  work: string
  /** What the ratio is taken to. */
  against?: string
  /** `ours` ÷ `bare`, both medians of runs that took turns. */
  ratio?: number
  /** The largest ratio or amount that is good enough. */
  target?: number | string
  met?: boolean
  [name: string]: unknown
}

const folder = join(process.env.DATA_DIR ?? 'data', 'bench')
/** The last ratios that were accepted, each with the commit it was measured at. */
const acceptedFile = join(import.meta.dirname, 'accepted.json')
/** A ratio may be so many times the accepted one: what the machine alone changes between two runs. */
const noise = 1.5
type Accepted = Record<string, { ratio: number; commit: string }>

/** A table of results that is kept in this file. A line is printed as soon as it is known, and fails its test where it misses its target. */
export function resultsTable(name: string) {
  const file = join(folder, name)

  /** Adds a line to the table; lines of other runs stay until the same work is measured again. */
  function keep(result: Result): void {
    const isSame = ({ work, against }: Result) => work === result.work && against === result.against
    const others = read<Result[]>(file, []).filter((other) => !isSame(other))
    mkdirSync(folder, { recursive: true })
    write(file, [...others, result])
    process.stdout.write(`\n${lineOf(result)}\n`)
    accept(result)
    const { work, target, ratio = 0, met = true } = result
    expect.soft(met, `${work}: the target is ${target}`).toBe(true)
    const known = read<Accepted>(acceptedFile, {})[keyOf(result)]
    if (known)
      expect.soft(ratio, `${work}: more than was accepted`).toBeLessThan(known.ratio * noise)
  }

  /** Keeps `ours` against `bare` with their medians; `unit` is that of both. */
  function compare(
    about: { work: string; against: string; target: number; [name: string]: unknown },
    unit: 'ms' | 'MB',
    ours: number[],
    bare: number[],
  ): void {
    const { work, against, target, ...more } = about
    const ratio = median(ours) / median(bare)
    keep({
      work,
      against,
      ratio: round(ratio, 2),
      target,
      met: ratio <= target,
      [`ours ${unit}`]: round(median(ours), 1),
      [`bare ${unit}`]: round(median(bare), 1),
      // What others do on the machine meanwhile only ever adds.
      'ratio of the fastest': round(Math.min(...ours) / Math.min(...bare), 2),
      spread: `${spread(ours)}, bare ${spread(bare)}`,
      runs: ours.length,
      ...more,
    })
  }

  return { keep, compare }
}

/** A result in one line: what was done, the ratio with its change since it was accepted, and the rest. */
function lineOf({ work, against, ratio, target, met, ...more }: Result): string {
  const known = read<Accepted>(acceptedFile, {})[keyOf({ work, against })]
  const change =
    ratio === undefined || !known ? '' : ` (accepted: ${known.ratio} at ${known.commit})`
  const judged = target === undefined ? '' : `, target ${target}: ${met ? 'met' : 'MISSED'}`
  const rest = Object.entries(more).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`],
  )
  return [
    `${work}${against ? ` ÷ ${against}` : ''}: ${ratio ?? ''}${change}${judged}`,
    ...rest,
  ].join('; ')
}

/** With BENCH_ACCEPT=1 this ratio is the accepted one from now on. */
function accept(result: Result): void {
  if (process.env.BENCH_ACCEPT !== '1' || result.ratio === undefined) return
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const all = {
    ...read<Accepted>(acceptedFile, {}),
    [keyOf(result)]: { ratio: result.ratio, commit },
  }
  const sorted = Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1))
  write(acceptedFile, Object.fromEntries(sorted))
}

const keyOf = ({ work, against = '' }: Pick<Result, 'work' | 'against'>) => `${work} ÷ ${against}`

const read = <T>(file: string, otherwise: T): T =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : otherwise

const write = (file: string, value: unknown) =>
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** The smallest value that so large a part of them does not exceed. */
export const at = (values: number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(part * values.length) - 1)] ?? Number.NaN

export const median = (values: number[]): number => at(values, 0.5)

export const round = (value: number, digits: number): number => Number(value.toFixed(digits))

const spread = (values: number[]) =>
  `${round(Math.min(...values), 1)} to ${round(Math.max(...values), 1)}`
