import { test } from '@playwright/test'
import { type NetworkProxy, startProxy } from '../../../helpers/network/proxy.ts'
import { type AppServer, freePort, startAppServer } from '../../../helpers/server/app-server.ts'

export type ServerFixture = {
  /** The real server, on data of its own. */
  server: AppServer
  /** What lies between it and the phones; its weather can be changed. */
  road: NetworkProxy
  /** Where phones find the app: the road's end. */
  origin: string
}

type Options = {
  env?: NodeJS.ProcessEnv
  /** Gives the folder of the build to run, when that is not this one's; asked when the town is built. */
  root?: () => string
}

/** A server and a road to it for all tests of one file. Call it at the top of the file. */
export function serverFixture({ env, root }: Options = {}): () => ServerFixture {
  let town: ServerFixture | undefined
  test.beforeAll(async () => {
    const port = await freePort()
    const road = await startProxy(port)
    const options = { port, publicOrigin: road.origin, env, root: root?.() }
    const server = await startAppServer(options)
    town = { server, road, origin: road.origin }
  })
  test.beforeEach(() => town?.road.set({ kind: 'fine' }))
  test.afterAll(async () => {
    await town?.road.close()
    await town?.server.stop()
  })
  return () => {
    if (!town) throw new Error('The town stands only inside a test.')
    return town
  }
}
