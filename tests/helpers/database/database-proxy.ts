import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type DatabaseProxy = {
  /** The address of the database through the proxy. */
  url: string
  /** Breaks every connection and refuses new ones, as a database that has stopped. */
  cut(): void
  /** Forwards nothing any more and breaks nothing, as a machine that has lost its power. */
  silence(): void
  restore(): void
  close(): void
}

/** A TCP proxy to the database at this address. */
export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const behind = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'silent' = 'open'
  const server = createServer((near) => {
    if (state === 'cut') return void near.destroy()
    const far = connect(Number(behind.port), behind.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.on('data', (bytes) => {
        if (state === 'open') other.write(bytes)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = `${typeof address === 'object' && address ? address.port : 0}`
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cut() {
      state = 'cut'
      breakAll()
    },
    silence() {
      state = 'silent'
    },
    restore() {
      // What was lost in between would leave a connection out of step.
      if (state === 'silent') breakAll()
      state = 'open'
    },
    close() {
      breakAll()
      server.close()
    },
  }
}
