import { requestKeyTests } from './idempotency.ts'

await requestKeyTests()
