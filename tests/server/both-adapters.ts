import { afterAll, beforeAll, describe } from 'vitest'
import type { Ports } from '#server/ports/ports.ts'
import { startDexieServer } from '../helpers/server/dexie-server.ts'
import { startTestServer, type TestServer } from '../helpers/server/server.ts'

/** Runs the same tests against a server over PostgreSQL and one over IndexedDB; `server()` returns it inside a test. */
export function overBothAdapters(
  tests: (server: () => TestServer, adapter: 'PostgreSQL' | 'IndexedDB') => void,
  over: Partial<Ports> = {},
) {
  describe.each(['PostgreSQL', 'IndexedDB'] as const)('over %s', (adapter) => {
    let server: TestServer
    beforeAll(async () => {
      server = await (adapter === 'PostgreSQL'
        ? startTestServer(undefined, over)
        : startDexieServer(over))
    })
    afterAll(() => server.close())
    tests(() => server, adapter)
  })
}
