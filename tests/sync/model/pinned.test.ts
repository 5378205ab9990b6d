import { expect, test } from 'vitest'
import { inDexie } from './dexie.ts'
import { pinned } from './pinned.ts'
import { faultsOf } from './run.ts'

test.each(Object.entries(pinned))('%s', async (_, history) => {
  expect(await faultsOf(inDexie, history)).toEqual([])
})
