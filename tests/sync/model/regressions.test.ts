import { expect, test } from 'vitest'
import { inDexie } from './dexie.ts'
import { regressions } from './regressions.ts'
import { faultsOf } from './scenario/check.ts'

test.each(Object.entries(regressions))('%s', async (_, scenario) => {
  expect(await faultsOf(inDexie, scenario)).toEqual([])
})
