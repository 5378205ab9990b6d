import { test } from 'vitest'
import { inDexie } from './databases/dexie.ts'
import { expectNoFaults } from './scenario/check.ts'

// `npm run test:slow` runs more of each seed, and `npm run soak` new seeds: a commit must not fail by chance.
test('50 random scenarios keep every promise (seed 1)', () =>
  expectNoFaults(inDexie, { seed: 1, runs: 50 }))
