import { createServer, connect as dial, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * The road between a phone and the server.
 * - `fine`: everything passes.
 * - `cut`: open connections break, new ones are refused with a reset.
 * - `silent`: everything is taken in and nothing comes out until the weather changes: a dead zone
 *   that looks like a network.
 * - `slow`: each piece is `delay` ms late, and no more than `bytesPerSecond` pass each way.
 * - `breaks`: a connection breaks after `bytes` more bytes in one direction (`up`: from the phone).
 * - `deaf`: a request that `losing` names by its first line ("POST /api/guest/deliveries HTTP/1.1")
 *   reaches the server and is carried out; the connection breaks before a byte of its answer passes.
 */
export type Weather =
  | { kind: 'fine' | 'cut' | 'silent' }
  | { kind: 'slow'; delay?: number; bytesPerSecond?: number }
  | { kind: 'breaks'; direction: 'up' | 'down'; bytes: number }
  | { kind: 'deaf'; losing: (requestLine: string) => boolean }

export type NetworkProxy = {
  port: number
  origin: string
  /** From now on, for open connections too. */
  set: (weather: Weather) => void
  /** First lines of all requests that entered, in order. */
  requests: string[]
  close: () => Promise<void>
}

/** A TCP proxy on loopback to `target`, whose weather can be changed while it runs. */
export async function startProxy(target: number, port = 0): Promise<NetworkProxy> {
  const connections = new Set<Connection>()
  const requests: string[] = []
  let weather: Weather = { kind: 'fine' }
  const server = createServer({ noDelay: true }, (phone) => {
    if (weather.kind === 'cut') return void phone.resetAndDestroy()
    const connection = openConnection(phone, target, () => weather, requests)
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
      weather = next
      for (const connection of connections) connection.weatherChanged(next)
    },
    async close() {
      for (const connection of connections) connection.break()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Connection = { break: () => void; weatherChanged: (next: Weather) => void }

function openConnection(
  phone: Socket,
  target: number,
  now: () => Weather,
  requests: string[],
): Connection {
  const server = dial({ port: target, host: '127.0.0.1', noDelay: true })
  const passed = { up: 0, down: 0 }
  /** The request whose answer is due on this connection. */
  let asked = ''
  const end = () => {
    phone.resetAndDestroy()
    server.destroy()
  }
  for (const socket of [phone, server]) socket.on('error', end)

  carry(phone, server, async (piece) => {
    const line = requestLine(piece)
    // What comes after the server has hung up is asked again by the browser itself, elsewhere.
    if (line && server.writable) {
      asked = line
      requests.push(line)
    }
    return pass('up', piece)
  })
  carry(server, phone, async (piece) => {
    const weather = now()
    if (weather.kind === 'deaf' && weather.losing(asked)) {
      end()
      return undefined
    }
    return pass('down', piece)
  })

  async function pass(direction: 'up' | 'down', piece: Buffer): Promise<Buffer | undefined> {
    while (now().kind === 'silent' && !phone.destroyed) await pause(20)
    const weather = now()
    if (weather.kind === 'slow') {
      const { delay = 0, bytesPerSecond = Number.POSITIVE_INFINITY } = weather
      await pause(delay + (piece.length / bytesPerSecond) * 1000)
    }
    if (weather.kind === 'breaks' && weather.direction === direction) {
      passed[direction] += piece.length
      if (passed[direction] >= weather.bytes) {
        end()
        return undefined
      }
    }
    return piece
  }

  return {
    break: end,
    weatherChanged(next) {
      passed.up = 0
      passed.down = 0
      if (next.kind === 'cut') end()
    },
  }
}

/** Moves pieces one after another, so that order and back-pressure stand; `undefined` is a swallowed piece. */
function carry(from: Socket, to: Socket, pass: (piece: Buffer) => Promise<Buffer | undefined>) {
  from.on('data', async (piece: Buffer) => {
    from.pause()
    const out = await pass(piece)
    if (out && to.writable) to.write(out)
    from.resume()
  })
  from.on('end', () => to.end())
  from.on('close', () => to.end())
}

function requestLine(piece: Buffer): string | undefined {
  const start = piece.subarray(0, 300).toString('latin1')
  return /^(GET|POST|PATCH|PUT|DELETE|OPTIONS|HEAD) \S+ HTTP\/1\.1(?=\r\n)/.exec(start)?.[0]
}
