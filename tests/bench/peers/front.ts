import { request as ask } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { selfSigned } from './certificate.ts'

export type Front = {
  origin: string
  /** Bytes on the wire since it started, TLS included. */
  bytes: () => { up: number; down: number }
  close: () => Promise<void>
}

/**
 * A TLS and HTTP/2 proxy before the server, as in production. Counts every byte between it and the
 * phone.
 */
export async function startFront(target: string): Promise<Front> {
  const sum = { up: 0, down: 0 }
  const secure = createSecureServer(selfSigned(), (incoming, outgoing) =>
    passOn(target, incoming, outgoing),
  )
  const inner = await listening(secure)
  const sockets = new Set<Socket>()
  const counter = createServer({ noDelay: true }, (phone) => {
    const server = dial({ port: inner, host: '127.0.0.1', noDelay: true })
    sockets.add(phone)
    for (const [from, to, way] of [
      [phone, server, 'up'],
      [server, phone, 'down'],
    ] as const) {
      from.on('data', (piece: Buffer) => {
        sum[way] += piece.length
        to.write(piece)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  const port = await listening(counter)
  return {
    origin: `https://127.0.0.1:${port}`,
    bytes: () => ({ ...sum }),
    async close() {
      for (const socket of sockets) socket.destroy()
      secure.close()
      await new Promise((resolve) => counter.close(resolve))
    },
  }
}

const listening = (server: {
  listen: (...args: [number, string, () => void]) => unknown
  address: () => unknown
}) =>
  new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

/** Headers of a connection, not of the message. */
const ofTheConnection = ['connection', 'keep-alive', 'transfer-encoding']

function passOn(target: string, incoming: Http2ServerRequest, outgoing: Http2ServerResponse) {
  const fields = Object.entries(incoming.headers).filter(([name]) => !name.startsWith(':'))
  const onwards = ask(`${target}${incoming.url}`, {
    method: incoming.method,
    headers: { ...Object.fromEntries(fields), host: new URL(target).host },
  })
  onwards.on('response', (response) => {
    const kept = Object.entries(response.headers).filter(
      ([name]) => !ofTheConnection.includes(name),
    )
    outgoing.writeHead(response.statusCode ?? 502, Object.fromEntries(kept))
    response.pipe(outgoing)
  })
  onwards.on('error', () => outgoing.stream.destroy())
  incoming.pipe(onwards)
}
