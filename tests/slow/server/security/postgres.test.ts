import { securityTests } from '../../../server/security/security-tests.ts'

securityTests({ all: true, runs: 40 })
