import { expect, test } from 'vitest'
import { inDexie } from '../databases/dexie.ts'
import { faultsOf } from '../scenario/check.ts'
import { openFaults } from './open-faults.ts'

// It passes while the fault is there, and fails once it is gone.
test.fails.each(Object.entries(openFaults))('open: %s', async (_, scenario) => {
  expect(await faultsOf(inDexie, scenario)).toEqual([])
})
