import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { contentTypes } from '../../launch/content-types.mjs'
import { unsentHeaders } from './server-headers.ts'

/** File names that carry a hash of their content: such a file never changes. */
const hashedName = /^\/assets\/.+-[\w-]{6,}\.\w+$/

/** The recipient's page of a delivery (R111): the address says which. A browser sends its fragment only where an app has encoded the `#`. */
const isRecipients = (path: string): boolean => /^\/h\/[^/.#]*(#.*)?$/.test(decoded(path))

/** Origins beside the server's own that photos come from and are sent to. */
type PhotoOrigins = { images: string[]; uploads: string[] }
/** The response to a request for a page or a file; `undefined` for other requests. */
type Files = (request: Request) => Promise<Response | undefined>

/**
 * The built app: its files, compressed where the build made `.br` and `.gz` beside them, and its first
 * page for every path without a file extension.
 */
export function staticFiles(folder: string, origins: PhotoOrigins): Files {
  const files = new Set(listFiles(folder))
  const app = new Hono()
  app.use(pageHeaders(origins, inlineScripts(join(folder, 'index.html'))))
  app.use(fileHeaders)
  // The worker takes what is shared to the app (sw/share.ts); without one the form opens empty.
  app.post('/share', (c) => c.redirect('/send', 303))
  // Only files that existed at the start can be requested.
  app.use(async (c, next) => (files.has(c.req.path) ? serveFile(c, next) : next()))
  app.use(async (c, next) => (isRecipients(c.req.path) ? serveRecipients(c, next) : next()))
  app.use(async (c, next) => (extname(decoded(c.req.path)) === '' ? servePage(c, next) : next()))
  const serveFile = serveStatic({ root: folder, precompressed: true })
  const servePage = serveStatic({ root: folder, path: 'index.html', precompressed: true })
  const serveRecipients = serveStatic({ root: folder, path: 'h.html', precompressed: true })
  app.notFound((c) => c.body(null, 404))
  return async (request) => {
    const response = await app.fetch(request)
    return response.status === 404 ? undefined : response
  }
}

/**
 * The demo beside the app, under `/demo/`. It finds its files relative to its first page, so a deep link
 * is redirected there, as the demo's 404.html does on other hosts.
 */
export function demoFiles(folder: string): Files {
  const files = staticFiles(folder, { images: [], uploads: [] })
  return async (request) => {
    const { pathname, search, origin } = new URL(request.url)
    const [, path] = /^\/demo(\/.*)?$/.exec(pathname) ?? []
    if (pathname === '/demo') return redirect(`/demo/${search}`)
    if (path === undefined) return undefined
    if (path !== '/' && extname(path) === '')
      return redirect(`/demo/?to=${encodeURIComponent(path.slice(1) + search)}`)
    return files(new Request(origin + path, { method: request.method, headers: request.headers }))
  }
}

/** In place of the demo: its paths return 404 instead of the app. */
export const noDemo: Files = async (request) =>
  /^\/demo(\/|$)/.test(new URL(request.url).pathname)
    ? new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } })
    : undefined

const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })

/** Every file below the folder, as the path of its URL. */
const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/'))

/** The sources of a content security policy that allow the page's inline scripts, and no others. */
function inlineScripts(page: string): string[] {
  const html = existsSync(page) ? readFileSync(page, 'utf8') : ''
  return [...html.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Type and caching by the name that was asked for; a page of the app has the name of no file. */
const fileHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.res.status === 404) return
  const isPage = isRecipients(c.req.path) || extname(decoded(c.req.path)) === ''
  const name = isPage ? '/index.html' : c.req.path
  const { headers } = c.res
  headers.set('content-type', contentTypes[extname(name)] ?? 'application/octet-stream')
  headers.set(
    'cache-control',
    hashedName.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
  )
  headers.set('vary', 'accept-encoding')
  // The library compares no `If-Modified-Since`, so the header would only cost bytes.
  headers.delete('last-modified')
}

/** A page runs its own scripts alone, is in no frame, and may use the camera and, for a pin (R112), the position. */
const pageHeaders = ({ images, uploads }: PhotoOrigins, scripts: string[]) =>
  secureHeaders({
    ...unsentHeaders,
    referrerPolicy: 'same-origin',
    xFrameOptions: 'DENY',
    permissionsPolicy: {
      camera: ['self'],
      geolocation: ['self'],
      microphone: [],
    },
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", ...scripts],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:', ...images],
      connectSrc: ["'self'", ...uploads, ...images],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  })
