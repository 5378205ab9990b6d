import fc from 'fast-check'
import { expect } from 'vitest'
import { type Scenario, scenarios } from './generate/scenarios.ts'
import { runScenario } from './run-scenario.ts'
import type { Open } from './seed-data.ts'

/** Steps of one scenario: enough for three people to meet, few enough for thousands of scenarios. */
const mostSteps = 12

/** Runs `runs` scenarios; the first that fails is shrunk and printed as data for `regressions.ts`. */
export async function expectNoFaults(
  open: Open,
  asked: { seed: number; runs: number },
): Promise<void> {
  const details = await withoutTraces(() =>
    fc.check(
      fc.asyncProperty(scenarios(mostSteps), async (scenario) => {
        if ((await runScenario(open, scenario)).length > 0) throw new Error('A promise is broken')
      }),
      // `shrink` below finds a smaller scenario: as data it can be run again without fast-check.
      { seed: asked.seed, numRuns: asked.runs, endOnFailure: true },
    ),
  )
  const [scenario] = details.counterexample ?? []
  if (!scenario) return
  const small = await shrink(open, scenario)
  const faults = await faultsOf(open, small)
  expect.fail(
    [
      `Seed ${details.seed}, scenario ${details.numRuns}:`,
      JSON.stringify(scenario),
      'of which this is needed:',
      JSON.stringify(small),
      ...(faults.length > 0 ? faults : [String(details.errorInstance)]),
    ].join('\n'),
  )
}

/** Every scenario throws many expected errors; collecting their stack traces would slow it down. */
async function withoutTraces<T>(work: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return await work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Removes every step that is not needed to break the same rule. */
async function shrink(open: Open, scenario: Scenario): Promise<Scenario> {
  const broken = (await runScenario(open, scenario).catch(() => []))[0]?.rule
  let small = scenario
  for (let at = scenario.steps.length - 1; at >= 0; at--) {
    const less = { ...small, steps: small.steps.filter((_, index) => index !== at) }
    const faults = await runScenario(open, less).catch(() => [])
    if (faults.some(({ rule }) => rule === broken)) small = less
  }
  return small
}

/** The faults of one scenario as text; empty when it keeps every promise. */
export const faultsOf = async (open: Open, scenario: Scenario): Promise<string[]> =>
  (await runScenario(open, scenario)).map(faultText)

const faultText = ({ rule, what }: { rule: string; what: string }) => `${rule}: ${what}`
