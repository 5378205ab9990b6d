import type { IncomingMessage, Server as NodeServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { Server as AppServer } from '../../app.ts'
import { StartupError } from '../../startup-error.ts'
import { clientAddress, trustedProxies } from './client-address.ts'
import { compressResponse } from './compress-response.ts'
import { serverHeaders } from './server-headers.ts'
import { stalledReaders } from './stalled-readers.ts'

/** Milliseconds that each part of a connection's work may take. */
const timeouts = {
  headers: 20_000,
  /** A whole request: 2.7 MB at 3 kB/s. Bodies have shorter limits of their own. */
  request: 15 * 60_000,
  /** Without a byte in either direction. Event streams send a heartbeat every 25 s. */
  idle: 60_000,
  /** Without a byte read by a client that has a response to read. */
  writing: 30_000,
  keepAlive: 10_000,
  /** Between two looks at headers, requests and readers. */
  check: 5_000,
  /** Discarding what a client still sends after its response. */
  discard: 10_000,
  /** Finishing open requests when the server stops. */
  stop: 10_000,
}

/** Open connections: of one address, and in all. A trusted proxy's and this machine's own have no limit of their own. */
const maxConnections = { ofOneAddress: 256, inAll: 16_384 }

/** Bytes discarded of a request that was answered before all of it arrived. */
const maxDiscardedBytes = 16_000_000

/** The part of the server that handles requests. */
type Server = Pick<AppServer, 'fetch' | 'close'>

type ListenOptions = {
  port: number
  host: string
  /** Addresses and CIDR ranges whose `X-Forwarded-For` counts. */
  trustProxy: string[]
  publicOrigin: string
}

type NodeBindings = { incoming: IncomingMessage; outgoing: ServerResponse }

/**
 * Listens for requests. Resolves with the function that closes the server once open requests are
 * answered. Throws `StartupError` when the port cannot be opened.
 */
export function listen(server: Server, options: ListenOptions): Promise<() => Promise<void>> {
  const { port, host, trustProxy } = options
  const app = withConnection(server, options)
  return new Promise((resolve, reject) => {
    const http = serve({
      fetch: app.fetch,
      port,
      hostname: host,
      // The rest of a request is discarded by `discardRest`, which waits longer.
      autoCleanupIncoming: false,
      serverOptions: {
        requestTimeout: timeouts.request,
        headersTimeout: timeouts.headers,
        keepAliveTimeout: timeouts.keepAlive,
        connectionsCheckingInterval: timeouts.check,
      },
    }) as NodeServer
    http.setTimeout(timeouts.idle)
    http.maxConnections = maxConnections.inAll
    limitConnections(http, trustProxy)
    http.once('error', (error: Error & { code?: string }) => {
      const isInUse = error.code === 'EADDRINUSE'
      const line = isInUse
        ? `Port ${port} is in use. Set PORT.`
        : `The server cannot listen at HOST ${host}, PORT ${port}: ${error.message}.`
      reject(new StartupError(line))
    })
    http.once('listening', () => resolve(() => closeServer(http, server)))
  })
}

/**
 * The server, with what only the connection knows: the caller's address, and whether the client still sends or
 * reads.
 */
function withConnection(server: Server, { trustProxy, publicOrigin }: ListenOptions) {
  const addressOf = clientAddress(trustProxy)
  const isProxy = trustedProxies(trustProxy)
  const readers = stalledReaders(timeouts.writing, timeouts.check)
  const app = new Hono<{ Bindings: NodeBindings }>()
  app.use(serverHeaders(publicOrigin))
  app.use(async (c) => {
    const { incoming, outgoing } = c.env
    discardRest(incoming, outgoing)
    const forwarded = incoming.headersDistinct['x-forwarded-for'] ?? []
    const address = addressOf(incoming.socket.remoteAddress, forwarded)
    const request = asRead(c.req.raw)
    const isFromProxy = isProxy(incoming.socket.remoteAddress ?? '')
    const plain = await server.fetch(request, { address, isFromProxy })
    const response = await compressResponse(request, plain)
    // A connection that is to be closed would be closed with the response, while its client still sends.
    if (!incoming.complete) outgoing.shouldKeepAlive = true
    readers.watch(incoming.socket, outgoing)
    return response
  })
  return app
}

/**
 * Turns the HEAD of a call into its GET, so that the headers are the same; the body is dropped at the end. Not
 * for files and streams: nobody would read what was opened.
 */
const asRead = (request: Request): Request =>
  request.method === 'HEAD' && /\/api\/(?!events|images)/.test(request.url)
    ? new Request(request, { method: 'GET' })
    : request

/**
 * Reads and discards the rest of a request that was answered early, up to a limit: a client reads the
 * response only after it has sent everything.
 */
function discardRest(incoming: IncomingMessage, outgoing: ServerResponse) {
  outgoing.once('finish', () => {
    const { socket } = incoming
    if (incoming.complete || socket.destroyed) return
    let bytes = 0
    const timer = setTimeout(() => socket.destroySoon(), timeouts.discard)
    incoming.removeAllListeners('data')
    incoming.on('data', ({ length }: Buffer) => {
      bytes += length
      if (bytes > maxDiscardedBytes) socket.destroySoon()
    })
    incoming.once('close', () => clearTimeout(timer))
    incoming.once('end', () => clearTimeout(timer))
    incoming.resume()
  })
}

/** Closes a new connection of an address that has too many already. */
export function limitConnections(
  http: NodeServer,
  trustProxy: string[],
  most = maxConnections.ofOneAddress,
  isExempt = trustedProxies([...trustProxy, '127.0.0.0/8', '::1']),
) {
  const open = new Map<string, number>()
  const networkOf = clientAddress([])
  http.on('connection', (socket: Socket) => {
    if (isExempt(socket.remoteAddress ?? '')) return
    const network = networkOf(socket.remoteAddress, [])
    const count = (open.get(network) ?? 0) + 1
    if (count > most) return void socket.destroy()
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}

async function closeServer(http: NodeServer, server: Server) {
  const until = Date.now() + timeouts.stop
  const done = new Promise<void>((closed) => {
    // A kept-alive connection becomes idle after its last response, so idle ones are closed repeatedly.
    const look = setInterval(() => {
      http.closeIdleConnections()
      if (Date.now() > until) http.closeAllConnections()
    }, 100)
    http.close(() => {
      clearInterval(look)
      closed()
    })
  })
  await server.close()
  return done
}
