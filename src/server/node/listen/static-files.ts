import { readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { contentTypes } from '../../launch/content-types.mjs'
import { fileStream } from '../../photos/file-stream.ts'

/** Names that carry a hash of what is in them: they never change. */
const hashed = /^\/assets\/.+-[\w-]{8,}\.\w+$/

const encodings = { br: '.br', gzip: '.gz' }

type Sources = { images: string[]; uploads: string[] }
type Files = (request: Request) => Promise<Response | undefined>

/**
 * The built app: its files as they are, compressed where the build made them so, and its first page
 * for every path that is not a file's. `sources` are origins beside our own that photos come from and go to.
 */
export function staticFiles(folder: string, sources: Sources): Files {
  const files = new Set(list(folder))
  const always = {
    'content-security-policy': policy(sources),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
  }

  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const asked = decoded(new URL(request.url).pathname)
    const name = files.has(asked) ? asked : extname(asked) === '' ? '/index.html' : undefined
    if (name === undefined || !files.has(name)) return undefined
    const accepted = request.headers.get('accept-encoding') ?? ''
    const encoding = Object.entries(encodings).find(
      ([encoding, suffix]) => accepted.includes(encoding) && files.has(name + suffix),
    )
    const path = join(folder, name + (encoding?.[1] ?? ''))
    const { size } = await stat(path)
    const headers: Record<string, string> = {
      ...always,
      'content-type': contentTypes[extname(name)] ?? 'application/octet-stream',
      'cache-control': hashed.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-length': `${size}`,
      vary: 'accept-encoding',
    }
    if (encoding) headers['content-encoding'] = encoding[0]
    return new Response(request.method === 'HEAD' ? null : fileStream(path), { headers })
  }
}

/**
 * The demo beside the app, under `/demo/`. It finds its files from its own first page, so a deep link
 * is sent there first, as the demo's 404.html does on other hosts.
 */
export function demoFiles(folder: string): Files {
  const files = staticFiles(folder, { images: [], uploads: [] })
  return async (request) => {
    const { pathname, search, origin } = new URL(request.url)
    const [, path] = /^\/demo(\/.*)?$/.exec(pathname) ?? []
    if (pathname === '/demo') return seeOther(`/demo/${search}`)
    if (path === undefined) return undefined
    if (path !== '/' && extname(path) === '')
      return seeOther(`/demo/?to=${encodeURIComponent(path.slice(1) + search)}`)
    return files(new Request(origin + path, { method: request.method, headers: request.headers }))
  }
}

/** In place of the demo: its paths are not the app's either. */
export const noDemo: Files = async (request) =>
  /^\/demo(\/|$)/.test(new URL(request.url).pathname)
    ? new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } })
    : undefined

const seeOther = (location: string) => new Response(null, { status: 302, headers: { location } })

/** Every file below, as the path it is asked for by. Known from the start: no request finds another. */
const list = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/'))

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const policy = ({ images, uploads }: Sources) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: ${images.join(' ')}`,
    `connect-src 'self' ${[...uploads, ...images].join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
