import { describe } from 'vitest'
import { dexieDatabase } from '../../../helpers/server/dexie-server.ts'
import { setTestDatabase } from '../../../helpers/server/server.ts'

/* Runs the server's tests over IndexedDB, as in the demo. */
setTestDatabase(dexieDatabase)

const suites = {
  account: () => import('../../../server/handlers/people/account.test.ts'),
  admin: () => import('../../../server/handlers/office/admin.test.ts'),
  'admin area': () => import('../../../server/handlers/office/admin-area.test.ts'),
  concurrency: () => import('../../../server/handlers/deliveries/concurrency.test.ts'),
  events: () => import('../../../server/routes/events.test.ts'),
  'reading less': () => import('../../../server/postgres/reading-less.test.ts'),
}

describe.for(Object.entries(suites))('%s', async ([, load]) => {
  await load()
})
