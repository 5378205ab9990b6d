import { afterAll } from 'vitest'
import type { Ports } from '#server/ports/ports.ts'
import { type ServerDatabase, startTestServer, type TestServer } from '../helpers/server/server.ts'

/**
 * Starts a server over an empty database for the tests of a file, and closes it after them. `over`
 * replaces some of its ports, and `on` is the database of another server. Call it at the top level of the file.
 */
export async function serverFixture(
  over?: Partial<Ports>,
  on?: ServerDatabase,
): Promise<TestServer> {
  const server = await startTestServer(on, over)
  afterAll(() => server.close())
  return server
}
