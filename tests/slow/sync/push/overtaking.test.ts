import { describe, expect, test } from 'vitest'
import { createTrial, type Role, states, stepsOf } from '../../../sync/push/overtaking.ts'
import { serverOfFile } from '../../../sync/server-fixture.ts'

const fixture = serverOfFile()

describe.each<Role>(['sender', 'driver'])(
  'S3, S4: every two things that a %s does in a row',
  (role) => {
    test.each(states)('are done, with a delivery that is %s', async (state) => {
      const trial = createTrial(fixture.server(), role, state)
      const names = Object.keys(stepsOf[role])
      const left: string[] = []
      let allowed = 0
      for (const [n, first] of names.entries())
        for (const [m, second] of names.entries()) {
          // Each pair in every third state.
          if ((n + m + states.indexOf(state)) % 3 !== 1) continue
          const lost = await trial.run(first, second)
          if (lost) allowed += 1
          left.push(...(lost ?? []).map((each) => `${first}, then ${second}: ${each}`))
        }
      await trial.close()
      expect(left).toEqual([])
      expect(allowed).toBeGreaterThan(0)
    })
  },
)
