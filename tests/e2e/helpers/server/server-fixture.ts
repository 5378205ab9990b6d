import { test } from '@playwright/test'
import { freshDatabase } from '../../../helpers/database/postgres.ts'
import { type NetworkProxy, startProxy } from '../../../helpers/network/proxy.ts'
import { type AppServer, freePort, startAppServer } from '../../../helpers/server/app-server.ts'
import { postgresVariable } from './postgres.ts'

export type ServerFixture = {
  /** The built server, on an empty database and data folder. */
  server: AppServer
  /** Stands between the phones and the server; tests set its network condition. */
  proxy: NetworkProxy
  /** The address of the app for phones: the proxy's. */
  origin: string
}

type Options = {
  /** A function is called before the server starts. */
  env?: NodeJS.ProcessEnv | (() => Promise<NodeJS.ProcessEnv>)
  /** Returns the folder of the build to run, when it is not this checkout's; called before the server starts. */
  root?: () => string
}

/**
 * Starts a server and a proxy before it for all tests of a file. Call it at the top level of the file.
 * Its database is a copy of the run's template; without one, as in benchmarks, the server starts its own.
 */
export function serverFixture({ env, root }: Options = {}): () => ServerFixture {
  let fixture: ServerFixture | undefined
  let drop = async () => {}
  test.beforeAll(async () => {
    const shared = process.env[postgresVariable]
    const database = shared ? await freshDatabase(shared) : undefined
    drop = database?.drop ?? drop
    const port = await freePort()
    const proxy = await startProxy(port)
    const server = await startAppServer({
      port,
      publicOrigin: proxy.origin,
      env: typeof env === 'function' ? await env() : env,
      root: root?.(),
      databaseUrl: database?.ownerUrl,
    })
    fixture = { server, proxy, origin: proxy.origin }
  })
  test.beforeEach(() => fixture?.proxy.set({ kind: 'fine' }))
  test.afterAll(async () => {
    await fixture?.proxy.close()
    await fixture?.server.stop()
    await drop()
  })
  return () => {
    if (!fixture) throw new Error('The server fixture is only available inside a test.')
    return fixture
  }
}
