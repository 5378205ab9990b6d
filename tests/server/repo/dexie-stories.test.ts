import { describe } from 'vitest'
import { dexieDatabase } from '../../helpers/server/dexie-server.ts'
import { setTestDatabase } from '../../helpers/server/server.ts'

/* Runs the server's tests over IndexedDB, as in the demo; those that take long are in the slow tier. */
setTestDatabase(dexieDatabase)

const suites = {
  deliveries: () => import('../handlers/deliveries.test.ts'),
  'request keys': () => import('../http/idempotency.test.ts'),
}

describe.for(Object.entries(suites))('%s', async ([, load]) => {
  await load()
})
