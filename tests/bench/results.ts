import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Result = {
  work: string
  /** What the ratio is taken to. */
  against?: string
  /** `ours` ÷ `bare`, both medians of runs that took turns. */
  ratio?: number
  /** The largest ratio that is good enough. */
  target?: number | string
  met?: boolean
  [name: string]: unknown
}

const folder = join(process.env.DATA_DIR ?? 'data', 'bench')

/** A table of results that is kept in this file. Nothing is asserted: each line says whether it meets its target. */
export function resultsTable(name: string) {
  const file = join(folder, name)
  let unprinted: Result[] = []

  /** Adds a line to the table; lines of other runs stay until the same work is measured again. */
  function keep(result: Result): void {
    unprinted.push(result)
    const before: Result[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
    const others = before.filter(({ work }) => work !== result.work)
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, `${JSON.stringify([...others, result], null, 2)}\n`)
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

  /** Prints what was kept since the last call. */
  function print(): void {
    for (const result of unprinted) process.stdout.write(`${JSON.stringify(result)}\n`)
    unprinted = []
  }

  return { keep, compare, print }
}

/** The smallest value that so large a part of them does not exceed. */
export const at = (values: number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(part * values.length) - 1)] ?? Number.NaN

export const median = (values: number[]): number => at(values, 0.5)

export const round = (value: number, digits: number): number => Number(value.toFixed(digits))

const spread = (values: number[]) =>
  `${round(Math.min(...values), 1)} to ${round(Math.max(...values), 1)}`
