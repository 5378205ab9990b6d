import fc from 'fast-check'
import { expect } from 'vitest'
import { live } from './run-scenario.ts'
import { type History, histories } from './scenarios.ts'
import type { Open } from './seed-data.ts'

/** Steps of one history: long enough for three people to meet, short enough for thousands of them. */
const most = 12

/** Lives so many histories; the first that fails is made small and shown as data, for `pinned.ts`. */
export async function holds(open: Open, asked: { seed: number; runs: number }): Promise<void> {
  const details = await withoutTraces(() =>
    fc.check(
      fc.asyncProperty(histories(most), async (history) => {
        if ((await live(open, history)).length > 0) throw new Error('Something went wrong')
      }),
      // Smaller histories are found below: as data they need no path to be lived again.
      { seed: asked.seed, numRuns: asked.runs, endOnFailure: true },
    ),
  )
  const [history] = details.counterexample ?? []
  if (!history) return
  const small = await smaller(open, history)
  const faults = await faultsOf(open, small)
  expect.fail(
    [
      `Seed ${details.seed}, history ${details.numRuns}:`,
      JSON.stringify(history),
      'of which this is needed:',
      JSON.stringify(small),
      ...(faults.length > 0 ? faults : [String(details.errorInstance)]),
    ].join('\n'),
  )
}

/** Errors are a part of every history, their traces only of one that is told: it is lived again. */
async function withoutTraces<T>(work: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return await work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Without every step that is not needed to break the same rule. */
async function smaller(open: Open, history: History): Promise<History> {
  const broken = (await live(open, history).catch(() => []))[0]?.rule
  let small = history
  for (let at = history.steps.length - 1; at >= 0; at--) {
    const less = { ...small, steps: small.steps.filter((_, index) => index !== at) }
    const faults = await live(open, less).catch(() => [])
    if (faults.some(({ rule }) => rule === broken)) small = less
  }
  return small
}

/** What goes wrong in one history, in words; nothing when it is lived as promised. */
export const faultsOf = async (open: Open, history: History): Promise<string[]> =>
  (await live(open, history)).map(told)

const told = ({ rule, what }: { rule: string; what: string }) => `${rule}: ${what}`
