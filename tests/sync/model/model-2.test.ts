import { test } from 'vitest'
import { inDexie } from './databases/dexie.ts'
import { expectNoFaults } from './scenario/check.ts'
import { patience, runs } from './scenario-count.ts'

// New seeds are run by `npm run soak`: a commit must not fail by chance.
test(
  `${runs} random scenarios keep every promise (seed 2)`,
  () => expectNoFaults(inDexie, { seed: 2, runs }),
  patience,
)
