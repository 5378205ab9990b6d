import { test } from 'vitest'
import { inDexie } from './databases/dexie.ts'
import { expectNoFaults } from './scenario/check.ts'
import { patience, runs } from './scenario-count.ts'

test(
  `${runs} random scenarios keep every promise (seed 1)`,
  () => expectNoFaults(inDexie, { seed: 1, runs }),
  patience,
)
