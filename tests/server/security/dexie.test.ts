import { describe } from 'vitest'
import { dexieDatabase } from '../../helpers/server/dexie-server.ts'
import { setTestDatabase } from '../../helpers/server/server.ts'

/* The access tests over IndexedDB. */
setTestDatabase(dexieDatabase)

const suites = {
  access: () => import('./access/access.test.ts'),
  'list fields': () => import('./access/list-fields.test.ts'),
  log: () => import('../log/log.test.ts'),
  'odd input': () => import('./odd-input.test.ts'),
  'other routes': () => import('./access/other-routes.test.ts'),
}

describe.for(Object.entries(suites))('%s', async ([, load]) => {
  await load()
})
