import type { Tools } from './decisions.ts'
import { lazily } from './lazily.ts'

/**
 * What only an admin does, fetched when the first does it: nobody else's page carries it. Its file has
 * a name of its own because what begins with `admin` is not kept for offline (`sw/build.ts`).
 */
export function createAdminCommands(tools: Tools) {
  const made = lazily(async () => (await import('./decisions.ts')).createDecisions(tools))
  return {
    reviewDriver: (id: string, status: 'approved' | 'rejected') => made.reviewDriver(id, status),
    resolveDispute: (id: string, resolution: string) => made.resolveDispute(id, resolution),
    addZone: (name: string) => made.addZone(name),
    removeZone: (id: string) => made.removeZone(id),
    addItem: (name: string) => made.addItem(name),
    removeItem: (id: string) => made.removeItem(id),
  }
}
