import { statementFailureTests } from '../../../server/log/statement-failures.ts'
import { securityTests } from '../../../server/security/security-tests.ts'

securityTests({ all: true, runs: 40 })
statementFailureTests({ compareEach: true })
