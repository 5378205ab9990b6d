import { lazily, named } from '../lazy-methods.ts'
import type { Tools } from './admin.ts'

/**
 * What only an admin does, fetched when the first does it: nobody else's page carries it. Its file has
 * a name of its own because what begins with `admin` is not kept for offline (`sw/build.ts`).
 */
export function createAdminCommands(tools: Tools) {
  const made = lazily(async () => (await import('./admin.ts')).createDecisions(tools))
  return named(
    made,
    'reviewDriver',
    'resolveDispute',
    'addZone',
    'removeZone',
    'addItem',
    'removeItem',
  )
}
