import fc from 'fast-check'
import { expect } from 'vitest'
import { type History, histories } from './deeds.ts'
import type { Open } from './home.ts'
import { live } from './live.ts'

/** Steps of one history: long enough for three people to meet, short enough for thousands of them. */
const most = 14

/** Lives so many histories; what fails is made small and shown as data, for `pinned.ts`. */
export async function holds(open: Open, asked: { seed: number; runs: number }): Promise<void> {
  const details = await fc.check(
    fc.asyncProperty(histories(most), async (history) => {
      const faults = await live(open, history)
      if (faults.length > 0) throw new Error(faults.map(told).join('\n'))
    }),
    { seed: asked.seed, numRuns: asked.runs },
  )
  if (!details.failed) return
  const [history] = details.counterexample ?? []
  expect.fail(
    [
      `Seed ${details.seed}, path ${details.counterexamplePath}, after ${details.numRuns} histories:`,
      JSON.stringify(history),
      String(details.errorInstance),
    ].join('\n'),
  )
}

/** What goes wrong in one history, in words; nothing when it is lived as promised. */
export const faultsOf = async (open: Open, history: History): Promise<string[]> =>
  (await live(open, history)).map(told)

const told = ({ rule, what }: { rule: string; what: string }) => `${rule}: ${what}`
