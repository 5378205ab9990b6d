import { createServer } from 'node:http'
import { brotliCompressSync } from 'node:zlib'
import { blankPath } from './paints.ts'

export type BareServer = { origin: string; close: () => Promise<void> }

/** What a page of these names gets; names begin with a slash. */
export type Files = Record<string, { type: string; body: string }>

/** What the app's page is answered with for its safety; the opener policy alone costs a new process of the browser. */
const safety = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
]

/**
 * A server of a few pages, compressed beforehand like the app's, with the headers of the app at `appOrigin`: the least
 * that a page can be.
 */
export async function startBareServer(files: Files, appOrigin: string): Promise<BareServer> {
  const { headers } = await fetch(appOrigin)
  const safe = safety.map((name) => [name, headers.get(name)] as const)
  if (safe.some(([, value]) => value === null)) throw new Error('A header of the app is missing')
  const packed = new Map(
    Object.entries({ ...files, [blankPath]: { type: 'text/plain', body: '' } }).map(
      ([name, { type, body }]) => [name, { type, body: brotliCompressSync(body) }],
    ),
  )
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = packed.get(pathname)
    if (!file) return void response.writeHead(404).end()
    response.writeHead(200, {
      'content-type': file.type,
      'content-encoding': 'br',
      'content-length': file.body.length,
      'cache-control': 'no-cache',
      ...Object.fromEntries(safe),
    })
    response.end(file.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
