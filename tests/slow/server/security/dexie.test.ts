import { dexieDatabase } from '../../../helpers/server/dexie-server.ts'
import { setTestDatabase } from '../../../helpers/server/server.ts'
import { securityTests } from '../../../server/security/security-tests.ts'

/* The same over IndexedDB, as in the demo's page. */
setTestDatabase(dexieDatabase)

securityTests({ all: false, runs: 10 })
