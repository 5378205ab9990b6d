import { afterAll, beforeAll, describe } from 'vitest'
import type { Ports } from '#server/ports/ports.ts'
import { startDexieServer } from '../helpers/server/dexie-server.ts'
import { startTestServer, type TestServer } from '../helpers/server/server.ts'

type Adapter = 'PostgreSQL' | 'IndexedDB'
/** `server()` returns the server inside a test. */
type Tests = (server: () => TestServer, adapter: Adapter) => void

/** Runs the same tests against a server over PostgreSQL and one over IndexedDB: for what has queries of its own. */
export function overBothAdapters(tests: Tests, over?: Partial<Ports>) {
  overAdapter('PostgreSQL', tests, over)
  overAdapter('IndexedDB', tests, over)
}

/** Runs tests against a server over IndexedDB: it starts and answers sooner, and a rule is the same over both. */
export const overIndexedDb = (tests: Tests, over?: Partial<Ports>) =>
  overAdapter('IndexedDB', tests, over)

/** Runs tests against a server over PostgreSQL: for what many do at once. */
export const overPostgres = (tests: Tests, over?: Partial<Ports>) =>
  overAdapter('PostgreSQL', tests, over)

function overAdapter(adapter: Adapter, tests: Tests, over: Partial<Ports> = {}) {
  describe(`over ${adapter}`, () => {
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
