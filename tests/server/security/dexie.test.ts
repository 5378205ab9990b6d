import { dexieDatabase } from '../../helpers/server/dexie-server.ts'
import { setTestDatabase } from '../../helpers/server/server.ts'
import { statementFailureTests } from '../log/statement-failures.ts'
import { securityTests } from './security-tests.ts'

/* The same over IndexedDB, as in the demo's page. */
setTestDatabase(dexieDatabase)

securityTests({ all: false, runs: 1 })
statementFailureTests({ compareEach: false })
