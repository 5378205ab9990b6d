import { describe } from 'vitest'
import { dexieDatabase } from '../../helpers/server/dexie-server.ts'
import { setTestDatabase } from '../../helpers/server/server.ts'
import { deliveryTests } from '../handlers/deliveries/deliveries.ts'
import { requestKeyTests } from '../http/idempotency/idempotency.ts'

/* The server's tests over IndexedDB, as in the demo; those that take long are in the slow tier. */
setTestDatabase(dexieDatabase)

describe('deliveries', () => deliveryTests())
describe('request keys', () => requestKeyTests())
