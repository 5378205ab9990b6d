import { expect, test } from 'vitest'
import { inDexie } from '../databases/dexie.ts'
import { faultsOf } from '../scenario/check.ts'
import { events } from './events.ts'

for (const [title, scenario] of Object.entries(events))
  test(title, async () => {
    expect(await faultsOf(inDexie, scenario)).toEqual([])
  })
