import { everyCallInBatches } from '../../../../server/http/batch/every-call.ts'
import { roles } from '../../../../server/security/access-fixture.ts'

everyCallInBatches(() => roles)
