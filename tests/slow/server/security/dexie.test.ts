import { dexieDatabase } from '../../../helpers/server/dexie-server.ts'
import { setTestDatabase } from '../../../helpers/server/server.ts'

setTestDatabase(dexieDatabase)
const { securityTests } = await import('../../../server/security/security-tests.ts')
const { statementFailureTests } = await import('../../../server/log/statement-failures.ts')

securityTests({ all: true, runs: 40 })
statementFailureTests({ compareEach: true })
