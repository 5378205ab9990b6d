import { endpoints } from '#contract/endpoints.ts'
import { callers } from '../../security/access-fixture.ts'
import { everyCallInBatches } from './every-call.ts'

/* By a role that may make it, and by one that mostly may not. */
everyCallInBatches((op) => [callers[endpoints[op].access], 'pendingDriver'])
