import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { contentTypes } from './content-types.mjs'

/**
 * Serves a folder as any static host does: files unchanged, `404.html` for the rest. `under`: the path it is
 * served at. `onMissing`: called for each request without a file. @param {string} folder @param {{ port:
 * number, host?: string, under?: string, onMissing?: (line: string) => void }} options @returns
 * {Promise<import('node:http').Server>}
 */
export function staticHost(folder, { port, host = '127.0.0.1', under = '/', onMissing }) {
  const server = createServer(async (request, response) => {
    const path = pathOf(request.url ?? '/')
    const reads = request.method === 'GET' || request.method === 'HEAD'
    const found = reads ? await fileFor(folder, under, path, request.headers) : undefined
    if (!found) onMissing?.(`${request.method} ${path}`)
    const { bytes, headers } = found ?? (await missing(folder))
    response.writeHead(found ? 200 : 404, headers)
    response.end(request.method === 'HEAD' ? undefined : bytes)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

/** @param {string} url */
function pathOf(url) {
  try {
    return decodeURIComponent(new URL(url, 'http://host').pathname)
  } catch {
    return ''
  }
}

/**
 * @param {string} folder @param {string} under @param {string} path
 * @param {import('node:http').IncomingHttpHeaders} asked
 */
async function fileFor(folder, under, path, asked) {
  if (!path.startsWith(under)) return undefined
  const below = path.slice(under.length)
  const name = normalize(`/${below.endsWith('/') || below === '' ? `${below}index.html` : below}`)
  const hashed = /^\/assets\//.test(name)
  /** @type {Record<string, string>} */
  const headers = {
    'content-type': contentTypes[extname(name)] ?? 'application/octet-stream',
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
  }
  const packed = asked['accept-encoding']?.includes('br') && (await read(folder, `${name}.br`))
  if (packed) return { bytes: packed, headers: { ...headers, 'content-encoding': 'br' } }
  const bytes = await read(folder, name)
  return bytes && { bytes, headers }
}

/** @param {string} folder */
const missing = async (folder) => ({
  bytes: (await read(folder, '404.html')) ?? 'Not found',
  headers: { 'content-type': contentTypes['.html'] ?? '' },
})

/** @param {string} folder @param {string} name */
const read = (folder, name) => readFile(join(folder, name)).catch(() => undefined)
