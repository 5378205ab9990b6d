import { dexieDatabase } from '../../../helpers/server/dexie-server.ts'
import { setTestDatabase } from '../../../helpers/server/server.ts'
import { statementFailureTests } from '../../../server/log/statement-failures.ts'
import { securityTests } from '../../../server/security/security-tests.ts'

/* The same over IndexedDB, as in the demo's page. */
setTestDatabase(dexieDatabase)

securityTests({ all: true, runs: 40 })
statementFailureTests({ compareEach: true })
