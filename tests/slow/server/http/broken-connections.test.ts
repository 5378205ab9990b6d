import { builtServer } from '../../../helpers/server/processes.ts'
import { brokenConnections } from '../../../server/http/broken-connections.ts'

brokenConnections(builtServer({ LOG_LEVEL: 'warn' }), {
  shares: [0, 0.5, 1],
  after: [0, 1, 4, 15, 60],
  uploadRounds: 40,
})
