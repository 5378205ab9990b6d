import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { effectsOf, type Run } from './bench.ts'
import { inWords } from './effects.ts'

/** One line of the table. */
export type Line = {
  work: string
  against: string
  /** Ours ÷ theirs, or an amount, at most; a line without one is there to be known. */
  target?: number
  unit?: 'ratio' | 'kB' | 'bytes' | 'ms' | 'count'
  median: number
  p95: number
  ours?: number
  theirs?: number
  runs: number
  effects?: { ours?: string; theirs?: string }
  note?: string
  at: number
}

const folder = join(process.env.DATA_DIR ?? 'data', 'bench')
const file = join(folder, 'peers.json')

/** Ours ÷ theirs, pair by pair; times in milliseconds. */
export function compare(
  about: Pick<Line, 'work' | 'against' | 'target' | 'note'>,
  ours: Run[],
  theirs: Run[],
): void {
  const ratios = ours.map(({ ms }, pair) => ms / (theirs[pair]?.ms ?? Number.NaN))
  const [mine, other] = [effectsOf(ours), effectsOf(theirs)]
  keep({
    ...about,
    unit: 'ratio',
    ...spread(ratios),
    ours: middle(ours.map(({ ms }) => ms)),
    theirs: middle(theirs.map(({ ms }) => ms)),
    effects: { ours: mine && inWords(mine), theirs: other && inWords(other) },
  })
}

/** An amount that has a limit of its own. */
export function measure(
  about: Pick<Line, 'work' | 'against' | 'target' | 'unit' | 'note'>,
  values: number[],
): void {
  keep({ ...about, ...spread(values) })
}

const spread = (values: number[]) => ({
  median: middle(values),
  p95: at(values, 0.95),
  runs: values.length,
})

const middle = (values: number[]) => at(values, 0.5)

/** The smallest value that so large a part of them does not exceed. */
const at = (values: number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(part * values.length) - 1] ?? Number.NaN

/** Lines of other runs stay in the file until the same work is measured again. */
function keep(line: Omit<Line, 'at'>): void {
  const others = kept().filter(
    ({ work, against }) => work !== line.work || against !== line.against,
  )
  mkdirSync(folder, { recursive: true })
  const all = [...others, { ...line, at: Date.now() }]
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`)
}

const kept = (): Line[] => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [])

/** The table of what was measured since `began`, milliseconds since 1970; nothing when nothing was. */
export function printed(began: number): string {
  const lines = kept().filter((line) => line.at >= began)
  if (lines.length === 0) return ''
  const head = ['work', 'against', 'target', 'median', 'p95', 'ours', 'theirs', '', 'effects']
  const rows = [head, ...lines.map(cells)]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const text = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
  const notes = lines.flatMap(({ work, note }) => (note ? [`${work}: ${note}`] : []))
  return `\n${[...text, '', ...notes].map((each) => each.trimEnd()).join('\n')}\n`
}

function cells(line: Line): string[] {
  const { unit = 'ratio', target, median, p95, ours, theirs, effects } = line
  const amount = (value: number) => (unit === 'ratio' ? value.toFixed(2) : round(value))
  const time = (value: number | undefined) => (value === undefined ? '' : `${round(value)} ms`)
  const said = [
    effects?.ours && `ours ${effects.ours}`,
    effects?.theirs && `theirs ${effects.theirs}`,
  ]
  return [
    line.work,
    line.against,
    target === undefined
      ? ''
      : `≤ ${target}${unit === 'ratio' || unit === 'count' ? '' : ` ${unit}`}`,
    amount(median),
    amount(p95),
    time(ours),
    time(theirs),
    target === undefined ? '' : median <= target ? 'met' : 'MISSED',
    said.filter(Boolean).join('; '),
  ]
}

const round = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : value.toFixed(value >= 10 ? 1 : 2)
