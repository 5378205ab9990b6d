import { afterAll } from 'vitest'
import type { Ports } from '#server/ports/ports.ts'
import { startTestServer, type TestServer } from '../helpers/server/server.ts'

/**
 * Starts a server over an empty database for the tests of a file, and closes it after them. `over`
 * replaces some of its ports. Call it at the top level of the file.
 */
export async function serverFixture(over?: Partial<Ports>): Promise<TestServer> {
  const server = await startTestServer(undefined, over)
  afterAll(() => server.close())
  return server
}
