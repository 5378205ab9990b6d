import { dexieDatabase } from '../../helpers/server/dexie-server.ts'
import { setTestDatabase } from '../../helpers/server/server.ts'

/* The same over IndexedDB, as in the demo's page. */
setTestDatabase(dexieDatabase)
const { securityTests } = await import('./security-tests.ts')
const { statementFailureTests } = await import('../log/statement-failures.ts')

securityTests({ all: false, runs: 1 })
statementFailureTests({ compareEach: false })
