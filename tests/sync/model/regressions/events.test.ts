import { expect, test } from 'vitest'
import { inDexie } from '../databases/dexie.ts'
import { faultsOf } from '../scenario/check.ts'
import { isPromised } from '../scenario/generate/not-yet.ts'
import { events } from './events.ts'

for (const [title, { event, scenario }] of Object.entries(events))
  test.skipIf(!isPromised(event))(title, async () => {
    expect(await faultsOf(inDexie, scenario)).toEqual([])
  })
