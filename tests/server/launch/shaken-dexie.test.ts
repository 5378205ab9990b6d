import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withoutCache } from '../../../src/server/launch/shaken-dexie.ts'

const modern = '../../../node_modules/dexie/dist/modern/dexie.mjs'

test('the installed Dexie puts its cache into every database in one line, which is all that the plugin removes', () => {
  const code = readFileSync(join(import.meta.dirname, modern), 'utf8')
  const shaken = withoutCache(code)
  expect(code.split('cacheMiddleware')).toHaveLength(3)
  expect(shaken.split('cacheMiddleware')).toHaveLength(2)
  expect(shaken.length).toBe(code.length - 'this.use(cacheMiddleware);'.length)
})
