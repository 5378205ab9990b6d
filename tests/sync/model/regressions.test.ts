import { expect, test } from 'vitest'
import { inDexie } from './dexie.ts'
import { pinned } from './regressions.ts'
import { faultsOf } from './scenario/check.ts'

test.each(Object.entries(pinned))('%s', async (_, history) => {
  expect(await faultsOf(inDexie, history)).toEqual([])
})
