import { createServer, connect as dial, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * What the proxy between a phone and the server does.
 * - `fine`: everything passes.
 * - `cut`: open connections break, new ones are refused with a reset.
 * - `silent`: connections are accepted and nothing is forwarded until the condition changes, as in a
 *   dead zone that looks like a network.
 * - `slow`: each chunk is `delay` ms late, and no more than `bytesPerSecond` pass each way.
 * - `breaks`: a connection breaks after `bytes` more bytes in one direction (`up`: from the phone).
 * - `answer lost`: a request that `losing` selects by its first line ("POST /api/guest/deliveries HTTP/1.1")
 *   reaches the server and is handled; the connection breaks before a byte of its response passes.
 */
export type ProxyCondition =
  | { kind: 'fine' | 'cut' | 'silent' }
  | { kind: 'slow'; delay?: number; bytesPerSecond?: number }
  | { kind: 'breaks'; direction: 'up' | 'down'; bytes: number }
  | { kind: 'answer lost'; losing: (requestLine: string) => boolean }

export type NetworkProxy = {
  port: number
  origin: string
  /** From now on, for open connections too. */
  set: (condition: ProxyCondition) => void
  /** First lines of all requests that were forwarded, in order. */
  requests: string[]
  close: () => Promise<void>
}

/** Starts a TCP proxy on loopback to the port `target`; its condition can be changed while it runs. */
export async function startProxy(target: number, port = 0): Promise<NetworkProxy> {
  const connections = new Set<Connection>()
  const requests: string[] = []
  let condition: ProxyCondition = { kind: 'fine' }
  const server = createServer({ noDelay: true }, (phone) => {
    if (condition.kind === 'cut') return void phone.resetAndDestroy()
    const connection = openConnection(phone, target, () => condition, requests)
    connections.add(connection)
    phone.on('close', () => connections.delete(connection))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port')
  return {
    port: address.port,
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    set(next) {
      condition = next
      for (const connection of connections) connection.conditionChanged(next)
    },
    async close() {
      for (const connection of connections) connection.break()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Connection = { break: () => void; conditionChanged: (next: ProxyCondition) => void }

function openConnection(
  phone: Socket,
  target: number,
  now: () => ProxyCondition,
  requests: string[],
): Connection {
  const server = dial({ port: target, host: '127.0.0.1', noDelay: true })
  const passed = { up: 0, down: 0 }
  /** First line of the request whose response is due on this connection. */
  let current = ''
  const end = () => {
    phone.resetAndDestroy()
    server.destroy()
  }
  for (const socket of [phone, server]) socket.on('error', end)

  pipe(phone, server, async (chunk) => {
    const line = requestLine(chunk)
    // The browser repeats a request that arrives after the server closed, on another connection.
    if (line && server.writable) {
      current = line
      requests.push(line)
    }
    return forward('up', chunk)
  })
  pipe(server, phone, async (chunk) => {
    const condition = now()
    if (condition.kind === 'answer lost' && condition.losing(current)) {
      end()
      return undefined
    }
    return forward('down', chunk)
  })

  async function forward(direction: 'up' | 'down', chunk: Buffer): Promise<Buffer | undefined> {
    while (now().kind === 'silent' && !phone.destroyed) await pause(20)
    const condition = now()
    if (condition.kind === 'slow') {
      const { delay = 0, bytesPerSecond = Number.POSITIVE_INFINITY } = condition
      await pause(delay + (chunk.length / bytesPerSecond) * 1000)
    }
    if (condition.kind === 'breaks' && condition.direction === direction) {
      passed[direction] += chunk.length
      if (passed[direction] >= condition.bytes) {
        end()
        return undefined
      }
    }
    return chunk
  }

  return {
    break: end,
    conditionChanged(next) {
      passed.up = 0
      passed.down = 0
      if (next.kind === 'cut') end()
    },
  }
}

/** Forwards chunks one after another, which keeps order and back-pressure; `undefined` drops a chunk. */
function pipe(from: Socket, to: Socket, forward: (chunk: Buffer) => Promise<Buffer | undefined>) {
  from.on('data', async (chunk: Buffer) => {
    from.pause()
    const out = await forward(chunk)
    if (out && to.writable) to.write(out)
    from.resume()
  })
  from.on('end', () => to.end())
  from.on('close', () => to.end())
}

function requestLine(chunk: Buffer): string | undefined {
  const start = chunk.subarray(0, 300).toString('latin1')
  return /^(GET|POST|PATCH|PUT|DELETE|OPTIONS|HEAD) \S+ HTTP\/1\.1(?=\r\n)/.exec(start)?.[0]
}
