import { test } from 'vitest'
import { inDexie } from '../../../sync/model/databases/dexie.ts'
import { expectNoFaults } from '../../../sync/model/scenario/check.ts'

test('200 random scenarios keep every promise (seed 1)', () =>
  expectNoFaults(inDexie, { seed: 1, runs: 200 }))
