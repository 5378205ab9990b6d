import { describe } from 'vitest'
import { dexieDatabase } from '../../helpers/server/dexie-server.ts'
import { setTestDatabase } from '../../helpers/server/server.ts'

/* Runs the server's tests over IndexedDB, as in the demo. */
setTestDatabase(dexieDatabase)

const suites = {
  account: () => import('../handlers/account.test.ts'),
  admin: () => import('../handlers/admin.test.ts'),
  'admin area': () => import('../handlers/admin-area.test.ts'),
  concurrency: () => import('../handlers/concurrency.test.ts'),
  deliveries: () => import('../handlers/deliveries.test.ts'),
  events: () => import('../routes/events.test.ts'),
  'reading less': () => import('../postgres/reading-less.test.ts'),
  'request keys': () => import('../http/idempotency.test.ts'),
}

describe.for(Object.entries(suites))('%s', async ([, load]) => {
  await load()
})
