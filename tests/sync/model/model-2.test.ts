import { test } from 'vitest'
import { inDexie } from './databases/dexie.ts'
import { expectNoFaults } from './scenario/check.ts'

test(
  '100 random scenarios keep every promise (seed 2)',
  () => expectNoFaults(inDexie, { seed: 2, runs: 100 }),
  1_200_000,
)
