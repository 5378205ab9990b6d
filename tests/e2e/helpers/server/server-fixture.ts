import { test } from '@playwright/test'
import { type NetworkProxy, startProxy } from '../../../helpers/network/proxy.ts'
import { type AppServer, freePort, startAppServer } from '../../../helpers/server/app-server.ts'

export type ServerFixture = {
  /** The built server, on an empty data folder. */
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

/** Starts a server and a proxy before it for all tests of a file. Call it at the top level of the file. */
export function serverFixture({ env, root }: Options = {}): () => ServerFixture {
  let fixture: ServerFixture | undefined
  test.beforeAll(async () => {
    // A new PostgreSQL takes two seconds, and half a minute on two busy cores.
    test.setTimeout(120_000)
    const port = await freePort()
    const proxy = await startProxy(port)
    const given = typeof env === 'function' ? await env() : env
    const options = { port, publicOrigin: proxy.origin, env: given, root: root?.() }
    const server = await startAppServer(options)
    fixture = { server, proxy, origin: proxy.origin }
  })
  test.beforeEach(() => fixture?.proxy.set({ kind: 'fine' }))
  test.afterAll(async () => {
    await fixture?.proxy.close()
    await fixture?.server.stop()
  })
  return () => {
    if (!fixture) throw new Error('The server fixture is only available inside a test.')
    return fixture
  }
}
