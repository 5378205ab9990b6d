import { securityTests } from './security-tests.ts'

securityTests({ all: false, runs: 2 })
