import { expect, test } from 'vitest'
import { inDexie } from '../databases/dexie.ts'
import { faultsOf } from '../scenario/check.ts'
import { events } from './events.ts'
import { regressions } from './regressions.ts'

test.each(Object.entries({ ...events, ...regressions }))('%s', async (_, scenario) => {
  expect(await faultsOf(inDexie, scenario)).toEqual([])
})
