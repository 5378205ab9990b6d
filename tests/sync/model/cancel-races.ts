import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inDexie } from './databases/dexie.ts'
import { faultsOf } from './scenario/check.ts'
import type { Scenario, Step } from './scenario/generate/scenarios.ts'

/*
 * A driver without a network picks up and delivers, the sender or an admin cancels, the phone comes back before or
 * after the money went back, and confirms: in every order, among lost answers and killed tabs (R123, R124).
 */

const phone = 0
const act = { do: 'act', phone, pick: 0, right: true } as const
const by = fc.constantFrom('ama' as const, 'admin' as const)

/** What happens, each once, in any order. */
const race = fc.tuple(by, fc.boolean(), fc.nat({ max: 4 })).chain(([who, isLate, more]) => {
  const steps: Omit<Step, 'pace'>[] = [
    act,
    act,
    { do: 'cancel', by: who },
    { do: 'mend', phone },
    ...(isLate ? [{ do: 'end holds' } as const] : []),
    ...besides.slice(0, more),
  ] as never
  return fc.shuffledSubarray(steps, { minLength: steps.length, maxLength: steps.length })
})
const besides = [
  { do: 'pass', seconds: 130 },
  { do: 'tab', phone, what: 'kill' },
  { do: 'network fault', phone, fault: { fate: 'answer lost', times: 2, only: 'says' } },
  act,
] as const

const races = fc.record({
  seed: fc.nat(),
  startsAt: fc.constantFrom('Accepted' as const, 'Picked Up' as const),
  withoutLocks: fc.boolean(),
  isCut: fc.boolean(),
  steps: race,
  pace: fc.constantFrom(0, 3, 100),
})

/** Runs so many races, always the same ones. */
export function cancelRaces(runs: number) {
  test(`R123, R124: ${runs} random races of a cancel and a hand-over lose no offer and hold no money too long`, async () => {
    const property = fc.asyncProperty(races, async ({ isCut, pace, steps, ...rest }) => {
      const first = isCut ? [{ do: 'cut', phone, pace } as const] : []
      const scenario = {
        ...rest,
        owners: ['driver one'],
        steps: [...first, ...steps.map((step) => ({ ...step, pace }))],
      } as Scenario
      expect(await faultsOf(inDexie, scenario)).toEqual([])
    })
    await fc.assert(property, { seed: 1, numRuns: runs, endOnFailure: true })
  })
}
