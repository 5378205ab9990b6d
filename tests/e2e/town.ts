import { test } from '@playwright/test'
import { type AppServer, freePort, startAppServer } from '../helpers/app-server.ts'
import { type Road, startProxy } from '../helpers/proxy.ts'

export type Town = {
  /** The real server, on data of its own. */
  server: AppServer
  /** What lies between it and the phones; its weather can be changed. */
  road: Road
  /** Where phones find the app: the road's end. */
  origin: string
}

type Options = Pick<Parameters<typeof startAppServer>[0] & object, 'env' | 'root'>

/** A server and a road to it for all tests of one file. Call it at the top of the file. */
export function freshTown(options: Options = {}): () => Town {
  let town: Town | undefined
  test.beforeAll(async () => {
    const port = await freePort()
    const road = await startProxy(port)
    const server = await startAppServer({ port, publicOrigin: road.origin, ...options })
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
